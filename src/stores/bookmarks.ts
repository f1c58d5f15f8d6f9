import type { EdgeId, PostId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, sql } from '../database/sql.js';
import { valueQuery } from '../database/table.js';
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

/** Returns the key of the user's newest bookmark behind `newer` ones, without those of deleted posts. */
export const findBookmarkKey = valueQuery<bigint, [userId: UserId, newer: number]>(
  asId,
  `SELECT b.edge_id FROM (SELECT edge_id, post_id FROM bookmarks WHERE user_id = ?) b CROSS JOIN posts p
    WHERE p.id = b.post_id ORDER BY b.edge_id DESC LIMIT 1 OFFSET ?`,
);
