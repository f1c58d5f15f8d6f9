import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import { deleteLinksBy, endSignIns } from '../../stores/account-access.js';
import { deleteDeactivation, insertDeactivation } from '../../stores/deactivated-users.js';
import type { Engine } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { setSuspended } from '../../stores/users.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';
import {
  isStillProven,
  lockAccount,
  lockActiveAccount,
  requireOtherOperator,
  requireProven,
  type ProvenPassword,
} from './authority.js';
import { standingOf } from './standing.js';

interface Deps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly queue: JobQueue;
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
    await setSuspended(tx, userId, true);
    await endSignIns(tx, userId);
    await deleteLinksBy(tx, userId);
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
    await setSuspended(tx, userId, false);
    await enqueueAuthorIndexing(tx, deps, userId);
    return true;
  });
}
