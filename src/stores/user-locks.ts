import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Locks users until the transaction ends. A second transaction that locks the same user waits and then sees the
 * changes of the first, at every isolation level. Checks that span several rows (no follow if there is a block) run
 * under the locks of all users concerned.
 *
 * Lock all users in one call before anything else: locking in the order of ids prevents deadlocks.
 */
export async function lockUsers(tx: Tx, ids: Iterable<UserId>): Promise<void> {
  const inOrder = [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  for (const id of inOrder) {
    await tx.run(sql`UPDATE user_counts SET followers = followers WHERE user_id = ${id}`);
  }
}
