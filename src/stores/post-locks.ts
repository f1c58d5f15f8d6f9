import type { PostId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

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
