import type { PostId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * As `lockUsers` for a post and what goes when it is deleted: what is decided about it after this holds to the commit.
 * The lock is the row of counts, which is made where there is none: look for the post after locking it, and throw when it
 * is gone. Users are locked before posts.
 */
export async function lockPost(tx: Tx, id: PostId): Promise<void> {
  await tx.run(sql`
    INSERT INTO post_counts (post_id, reposts, replies, likes, quotes, bookmarks, impressions)
    VALUES (${id}, 0, 0, 0, 0, 0, NULL)
    ON CONFLICT (post_id) DO UPDATE SET likes = post_counts.likes`);
}
