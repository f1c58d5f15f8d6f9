import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { deleteLinksBy, endSignIns } from '../../stores/account-access.js';
import { suspendDeactivated } from '../../stores/deactivated-users.js';
import type { Engine, Tx } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { setSuspended } from '../../stores/users.js';
import { lockAccount, requireOperator } from './authority.js';
import { standingOf, type Standing } from './standing.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';

interface Deps {
  readonly engine: Engine;
  readonly queue: JobQueue;
}

/**
 * Suspends or restores an account and resolves to its new state. The search index is updated soon after. Suspending
 * ends sessions and pending authorizations, and invalidates password reset links and the links an operator created.
 * Throws `forbidden` when there is no suspension to lift, and when `operatorId` is not an operator (absent: the
 * command line).
 */
export function suspendAccount(
  deps: Deps,
  userId: UserId,
  suspended: boolean,
  operatorId?: UserId,
): Promise<Standing> {
  return deps.engine.tx('suspend account', async (tx) => {
    await requireOperator(tx, operatorId);
    const user = await lockAccount(tx, userId);
    const change = suspended ? suspend : lift;
    return change(tx, deps, userId, await standingOf(tx, user));
  });
}

async function suspend(tx: Tx, deps: Deps, userId: UserId, standing: Standing): Promise<Standing> {
  if (standing === 'deleting') return standing;
  await endSignIns(tx, userId);
  await deleteLinksBy(tx, userId);
  if (standing === 'deactivated') await suspendDeactivated(tx, userId, true);
  if (standing !== 'active') return 'suspended';
  await setSuspended(tx, userId, true);
  await enqueueAuthorIndexing(tx, deps, userId);
  return 'suspended';
}

async function lift(tx: Tx, deps: Deps, userId: UserId, standing: Standing): Promise<Standing> {
  if (standing === 'active') return standing;
  if (standing !== 'suspended') throw forbidden(NO_SUSPENSION[standing]);
  if (await suspendDeactivated(tx, userId, false)) return 'deactivated';
  await setSuspended(tx, userId, false);
  await enqueueAuthorIndexing(tx, deps, userId);
  return 'active';
}

const NO_SUSPENSION = {
  deactivated: 'This account is not suspended: its owner deactivated it and can reactivate it by signing in.',
  deleting: 'This account is being deleted.',
} as const;
