import type { Tx } from './engine.js';
import type { PostEdge } from './likes.js';
import { sql } from './sql.js';

/** Bookmarks a post; false, changing nothing, when that is so already. Bookmarks of deleted posts are skipped on reading. */
export async function insertBookmark(tx: Tx, edge: PostEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO bookmarks (user_id, post_id, edge_id) VALUES (${edge.userId}, ${edge.postId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}
