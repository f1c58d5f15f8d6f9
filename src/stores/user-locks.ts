import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Lets no two transactions that lock the same user overlap: the second waits here until the first has ended, and then
 * sees what it did, at every isolation level. What is decided by several rows that others may add or remove (no follow
 * where there is a block) is decided under the locks of all users concerned.
 *
 * Lock first and everybody at once: the order of ids is what keeps two transactions from waiting for each other.
 */
export async function lockUsers(tx: Tx, ids: Iterable<UserId>): Promise<void> {
  const inOrder = [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  for (const id of inOrder) {
    await tx.run(sql`UPDATE user_counts SET followers = followers WHERE user_id = ${id}`);
  }
}
