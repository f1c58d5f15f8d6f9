import type { EdgeId, PostId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asOptionalId, sql } from '../database/sql.js';
import { amongEdges, edgeList, edgeWriter } from './edges.js';

const BOOKMARKS = edgeWriter<UserId, PostId, [EdgeId]>(['bookmarks', 'user_id', 'post_id', 'edge_id']);

/** Bookmarks a post. Returns false if the bookmark exists. Reads skip bookmarks of deleted posts. */
export const insertBookmark = BOOKMARKS.insert;

/** Deletes a bookmark, also from the user's folders. Returns false if there is none. */
export async function deleteBookmark(tx: Tx, userId: UserId, postId: PostId): Promise<boolean> {
  await tx.run(sql`DELETE FROM folder_bookmarks WHERE user_id = ${userId} AND post_id = ${postId}`);
  return BOOKMARKS.delete(tx, userId, postId);
}

/** Lists the posts that a user bookmarked. */
export const listBookmarks = edgeList<UserId, PostId>('bookmarks', 'user_id', 'post_id');

/** Returns the candidates that the user bookmarked. */
export const bookmarkedAmong = amongEdges<PostId, UserId>('bookmarks', 'user_id', 'post_id');

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
    SELECT b.edge_id FROM (SELECT edge_id, post_id FROM bookmarks WHERE user_id = ${userId}) b
      CROSS JOIN posts p
    WHERE p.id = b.post_id
    ORDER BY b.edge_id DESC LIMIT 1 OFFSET ${nth - 1}`);
  return asOptionalId(row?.edge_id);
}
