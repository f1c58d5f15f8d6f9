import type { UserId } from '../core/ids.js';
import { deleteDeactivation } from '../storage/deactivated-users.js';
import type { Engine } from '../storage/engine.js';
import type { JobQueue } from '../storage/job-queue.js';
import { setSuspended } from '../storage/users.js';
import { orderAuthorIndexing } from './search/index-author.js';

/**
 * Suspends or restores an account; what it posted leaves the search index, or comes back into it, soon after. One
 * that its owner had put to rest is not to be brought back by its owner then.
 */
export async function suspendAccount(
  deps: { readonly engine: Engine; readonly queue: JobQueue },
  userId: UserId,
  suspended: boolean,
): Promise<void> {
  await deps.engine.tx('suspend account', async (tx) => {
    await deleteDeactivation(tx, userId);
    await setSuspended(tx, userId, suspended);
    await orderAuthorIndexing(tx, deps, userId);
  });
}
