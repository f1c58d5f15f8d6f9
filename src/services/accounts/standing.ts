import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { AccountStanding, User } from '../../core/user.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { deleteLinksBy, endSignIns } from '../../stores/account-removal.js';
import { listAppsOf } from '../../stores/apps.js';
import {
  deleteDeactivation,
  findDeactivation,
  insertDeactivation,
  suspendDeactivated,
} from '../../stores/deactivated-users.js';
import { findDeletedUsers, insertDeletedUser } from '../../stores/deleted-users.js';
import { listOpenCasesAbout } from '../../stores/report-cases.js';
import { deleteSuspension, putSuspension } from '../../stores/suspensions.js';
import { setStanding } from '../../stores/users.js';
import { recordAction, userTarget } from '../audit/record-action.js';
import { decide } from '../moderation/decide.js';
import { operatorText } from '../moderation/operator-text.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';
import type { AccountDeps } from './account-deps.js';
import {
  isStillProven,
  lockAccount,
  lockActiveAccount,
  requireOperator,
  requireOtherOperator,
  requireProven,
  type ProvenPassword,
} from './authority.js';

type Deps = Pick<AccountDeps, 'engine' | 'clock' | 'queue' | 'ids'>;

/** The operator who decides, or the command line, and why. */
export interface DecidedBy {
  readonly operatorId?: UserId;
  /** Shown to the user. */
  readonly reason?: string;
}

/** Returns the state of an account. */
export async function standingOf(
  db: Queryable,
  { id, suspended }: Pick<User, 'id' | 'suspended'>,
): Promise<AccountStanding> {
  if ((await findDeletedUsers(db, [id])).has(id)) return 'deleting';
  if (!suspended) return 'active';
  return (await findDeactivation(db, id))?.suspended === false ? 'deactivated' : 'suspended';
}

/**
 * Suspends or restores an account and resolves to its new state. The search index is updated soon after. Suspending
 * ends sessions and pending authorizations, invalidates password reset links and the links an operator created, and
 * decides the open reports about the user. Throws `forbidden` when there is no suspension to lift, and when
 * `operatorId` is not an operator; `invalid-request` for a reason that is too long.
 */
export async function suspendAccount(
  deps: Deps,
  userId: UserId,
  suspended: boolean,
  { operatorId, reason: text = '' }: DecidedBy = {},
): Promise<AccountStanding> {
  const reason = operatorText('reason', text);
  return deps.engine.tx('suspend account', async (tx) => {
    await requireOperator(tx, operatorId);
    const user = await lockAccount(tx, userId);
    const standing = await standingOf(tx, user);
    const next = await (suspended ? suspend : lift)(tx, userId, standing);
    if (next !== standing) await setStanding(tx, userId, next, standing);
    if ((next !== 'active') !== (standing !== 'active')) await enqueueAuthorIndexing(tx, deps, userId);
    if (next === 'suspended') {
      await putSuspension(tx, userId, reason, deps.clock());
      await decide(tx, deps, await listOpenCasesAbout(tx, userId), 'suspended');
    } else await deleteSuspension(tx, userId);
    if (next !== standing || next === 'suspended') {
      const action = suspended ? 'user.suspend' : 'user.restore';
      await recordAction(tx, deps, operatorId, { action, target: userTarget(user), reason });
    }
    return next;
  });
}

async function suspend(tx: Tx, userId: UserId, standing: AccountStanding): Promise<AccountStanding> {
  if (standing === 'deleting') return standing;
  await endAccess(tx, userId);
  if (standing === 'deactivated') await suspendDeactivated(tx, true, userId);
  return 'suspended';
}

async function lift(tx: Tx, userId: UserId, standing: AccountStanding): Promise<AccountStanding> {
  if (standing === 'active') return standing;
  if (standing !== 'suspended') throw forbidden(NO_SUSPENSION[standing]);
  return (await suspendDeactivated(tx, false, userId)) ? 'deactivated' : 'active';
}

const NO_SUSPENSION = {
  deactivated: 'This account is not suspended: its owner deactivated it and can reactivate it by signing in.',
  deleting: 'This account is being deleted.',
} as const;

/** Ends the sessions and pending authorizations of a user, and invalidates the links to and by the user. */
async function endAccess(tx: Tx, userId: UserId): Promise<void> {
  await endSignIns(tx, userId);
  await deleteLinksBy(tx, userId);
}

/**
 * Deactivates an account on its owner's request: hides it like a suspended one and ends all sessions. The owner can
 * reactivate it by signing in. Throws `forbidden` for a suspended or closed account, for the only operator, and when
 * `proof` is no longer valid.
 */
export async function deactivateAccount(deps: Deps, userId: UserId, proof?: ProvenPassword): Promise<void> {
  await deps.engine.tx('deactivate account', async (tx) => {
    await lockActiveAccount(tx, userId);
    await requireProven(tx, proof);
    await requireOtherOperator(tx, userId);
    await insertDeactivation(tx, userId, deps.clock());
    await setStanding(tx, userId, 'deactivated', 'active');
    await endAccess(tx, userId);
    await enqueueAuthorIndexing(tx, deps, userId);
  });
}

/** Reactivates an account; returns false unless it is deactivated and the proof is still valid. */
export function reactivateAccount(deps: Deps, proof: ProvenPassword): Promise<boolean> {
  const { userId } = proof;
  return deps.engine.tx('reactivate account', async (tx) => {
    const user = await lockAccount(tx, userId);
    if ((await standingOf(tx, user)) !== 'deactivated' || !(await isStillProven(tx, proof))) return false;
    await deleteDeactivation(tx, userId);
    await setStanding(tx, userId, 'active', 'deactivated');
    await enqueueAuthorIndexing(tx, deps, userId);
    return true;
  });
}

/**
 * Closes an account permanently: hides it, ends its sessions, and enqueues its deletion. Throws `forbidden` when the
 * account owns apps, which must be deleted first, when it is the only operator, and when the operator or the owner's
 * verified password has lost the authority in the meantime.
 */
export async function closeAccount(
  deps: Deps,
  { id }: Pick<User, 'id'>,
  { operatorId, proof }: { readonly operatorId?: UserId; readonly proof?: ProvenPassword } = {},
): Promise<void> {
  await deps.engine.tx('close account', async (tx) => {
    await requireOperator(tx, operatorId);
    const user = await (operatorId === undefined ? lockActiveAccount : lockAccount)(tx, id);
    await requireProven(tx, proof);
    await requireOtherOperator(tx, id);
    if (operatorId !== undefined) {
      await recordAction(tx, deps, operatorId, { action: 'user.delete', target: userTarget(user) });
    }
    await hideDeleted(tx, user, deps.clock());
    const payload = { userId: String(id) };
    await deps.queue.enqueue(tx, { kind: 'delete-account', payload, uniqueKey: `delete-account ${id}` });
  });
}

/** Hides an account that will be deleted. Throws `forbidden` when it owns apps, unless `takesApps`. */
export async function hideDeleted(tx: Tx, user: User, nowMs: number, takesApps = false): Promise<void> {
  if (!takesApps && (await listAppsOf(tx, user.id)).length > 0) {
    throw forbidden(`@${user.username} owns apps. Delete them first.`);
  }
  const before = await standingOf(tx, user);
  // A repeated call finds the account hidden.
  if ((await insertDeletedUser(tx, user, nowMs)) || !user.suspended)
    await setStanding(tx, user.id, 'deleting', before);
  await deleteDeactivation(tx, user.id);
  await endAccess(tx, user.id);
}
