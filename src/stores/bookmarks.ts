import type { PostId, UserId } from '../core/ids.js';
import { asOptionalId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import type { PostEdge } from './likes.js';
import { sql } from '../database/sql.js';

/**
 * Bookmarks a post. Returns false and changes nothing if the bookmark exists. Reads skip bookmarks of deleted posts.
 */
export async function insertBookmark(tx: Tx, edge: PostEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO bookmarks (user_id, post_id, edge_id) VALUES (${edge.userId}, ${edge.postId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Deletes a bookmark. Returns false if there was none. */
export async function deleteBookmark(tx: Tx, userId: UserId, postId: PostId): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM bookmarks WHERE user_id = ${userId} AND post_id = ${postId}`)) === 1;
}

/** Lists the posts that a user bookmarked. */
export const listBookmarks = edgeList<UserId, PostId>('bookmarks', 'user_id', 'post_id');

/**
 * Returns the key of the user's `nth` newest bookmark (counted from 1) whose post still exists, or undefined if there
 * are fewer.
 */
export async function findBookmarkKey(
  db: Queryable,
  userId: UserId,
  nth: number,
): Promise<bigint | undefined> {
  const row = await db.get(sql`
    SELECT b.edge_id FROM bookmarks b
    WHERE b.user_id = ${userId} AND (SELECT p.id FROM posts p WHERE p.id = b.post_id) IS NOT NULL
    ORDER BY b.edge_id DESC LIMIT 1 OFFSET ${nth - 1}`);
  return asOptionalId(row?.edge_id);
}
