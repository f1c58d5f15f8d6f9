import type { AppId, PostId, UserId } from '../core/ids.js';
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

/**
 * Locks a post and everything that is deleted with it until the commit, as `lockUsers` does for users. The lock is
 * the row of counts, which is created if missing: look for the post after locking it, and throw if it no longer
 * exists. Lock users before posts.
 */
export async function lockPost(tx: Tx, id: PostId): Promise<void> {
  await tx.run(sql`
    INSERT INTO post_counts (post_id, reposts, replies, likes, quotes, bookmarks, impressions)
    VALUES (${id}, 0, 0, 0, 0, 0, NULL)
    ON CONFLICT (post_id) DO UPDATE SET likes = post_counts.likes`);
}

/** Locks an app until the transaction ends, as `lockUsers` does for users. Lock apps before users. */
export async function lockApp(tx: Tx, id: AppId): Promise<void> {
  await tx.run(sql`UPDATE apps SET created_at = created_at WHERE id = ${id}`);
}
