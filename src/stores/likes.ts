import type { EdgeId, PostId, UserId } from '../core/ids.js';
import { asNumber } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { edgeList } from './edge-lists.js';
import { sql } from '../database/sql.js';

/** A user's like or bookmark of a post; the edge id orders lists by time. */
export interface PostEdge {
  readonly userId: UserId;
  readonly postId: PostId;
  readonly edgeId: EdgeId;
}

/** Likes a post and writes the lists of both post and user. Returns false and changes nothing if the like exists. */
export async function insertLike(tx: Tx, edge: PostEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO likes (post_id, user_id, edge_id) VALUES (${edge.postId}, ${edge.userId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO liked_posts (user_id, post_id, edge_id) VALUES (${edge.userId}, ${edge.postId}, ${edge.edgeId})`);
  return true;
}

/** Deletes a like from both lists. Returns false if there was none. */
export async function deleteLike(tx: Tx, userId: UserId, postId: PostId): Promise<boolean> {
  const deleted = await tx.run(sql`DELETE FROM likes WHERE post_id = ${postId} AND user_id = ${userId}`);
  if (deleted === 0) return false;
  await tx.run(sql`DELETE FROM liked_posts WHERE user_id = ${userId} AND post_id = ${postId}`);
  return true;
}

/** Deletes all likes of a post from both lists. */
export async function deleteLikesOfPost(tx: Tx, postId: PostId): Promise<void> {
  await tx.run(sql`
    DELETE FROM liked_posts WHERE post_id = ${postId}
      AND user_id IN (SELECT user_id FROM likes WHERE post_id = ${postId})`);
  await tx.run(sql`DELETE FROM likes WHERE post_id = ${postId}`);
}

/** Lists the users who like a post. */
export const listLikers = edgeList<PostId, UserId>('likes', 'post_id', 'user_id');

/** Lists the posts that a user likes. */
export const listLikedPosts = edgeList<UserId, PostId>('liked_posts', 'user_id', 'post_id');

/** Counts the posts that a user likes. */
export async function countLikedPosts(db: Queryable, userId: UserId): Promise<number> {
  const row = await db.get(sql`SELECT COUNT(*) AS liked FROM liked_posts WHERE user_id = ${userId}`);
  return asNumber(row?.liked);
}
