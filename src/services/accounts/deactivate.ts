import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import { deactivatedAmong, deleteDeactivation, insertDeactivation } from '../../storage/deactivated-users.js';
import { findDeletedUsers } from '../../storage/deleted-users.js';
import type { Engine } from '../../storage/engine.js';
import type { JobQueue } from '../../storage/job-queue.js';
import { setSuspended } from '../../storage/users.js';
import { deleteWebSessionsOf } from '../../storage/web-sessions.js';
import { orderAuthorIndexing } from '../search/index-author.js';

interface Deps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

/**
 * Puts an account to rest for its owner: hidden like a suspended one, signed out everywhere, and back with everything
 * when the owner signs in and says so.
 */
export async function deactivateAccount(deps: Deps, userId: UserId): Promise<void> {
  await deps.engine.tx('deactivate account', async (tx) => {
    if (!(await insertDeactivation(tx, userId, deps.clock()))) return;
    await setSuspended(tx, userId, true);
    await deleteWebSessionsOf(tx, userId);
    await orderAuthorIndexing(tx, deps, userId);
  });
}

/** Brings an account back that its owner put to rest; false for any other. */
export function reactivateAccount(deps: Deps, userId: UserId): Promise<boolean> {
  return deps.engine.tx('reactivate account', async (tx) => {
    if (!(await deleteDeactivation(tx, userId))) return false;
    await setSuspended(tx, userId, false);
    await orderAuthorIndexing(tx, deps, userId);
    return true;
  });
}

/** Why a suspended account is: its owner put it to rest, it is being deleted, or an operator suspended it. */
export async function reasonOfSuspension(
  { engine }: Pick<Deps, 'engine'>,
  userId: UserId,
): Promise<'deactivated' | 'deleting' | 'suspended'> {
  if ((await findDeletedUsers(engine, [userId])).has(userId)) return 'deleting';
  return (await deactivatedAmong(engine, [userId])).has(userId) ? 'deactivated' : 'suspended';
}
