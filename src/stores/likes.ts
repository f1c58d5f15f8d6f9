import type { EdgeId, PostId, UserId } from '../core/ids.js';
import { asNumber } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { edgeList } from './edge-lists.js';
import { sql } from '../database/sql.js';

/** A user's like or bookmark of a post; the edge id orders lists by the time it was made. */
export interface PostEdge {
  readonly userId: UserId;
  readonly postId: PostId;
  readonly edgeId: EdgeId;
}

/** Likes a post, in the lists of both post and user; false, changing nothing, when that is so already. */
export async function insertLike(tx: Tx, edge: PostEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO likes (post_id, user_id, edge_id) VALUES (${edge.postId}, ${edge.userId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO liked_posts (user_id, post_id, edge_id) VALUES (${edge.userId}, ${edge.postId}, ${edge.edgeId})`);
  return true;
}

/** Takes a like back, from both lists; false when there was none. */
export async function deleteLike(tx: Tx, userId: UserId, postId: PostId): Promise<boolean> {
  const deleted = await tx.run(sql`DELETE FROM likes WHERE post_id = ${postId} AND user_id = ${userId}`);
  if (deleted === 0) return false;
  await tx.run(sql`DELETE FROM liked_posts WHERE user_id = ${userId} AND post_id = ${postId}`);
  return true;
}

/** Takes every like of a post away, from the users' lists too. */
export async function deleteLikesOfPost(tx: Tx, postId: PostId): Promise<void> {
  await tx.run(sql`
    DELETE FROM liked_posts WHERE post_id = ${postId}
      AND user_id IN (SELECT user_id FROM likes WHERE post_id = ${postId})`);
  await tx.run(sql`DELETE FROM likes WHERE post_id = ${postId}`);
}

/** Who likes a post. */
export const listLikers = edgeList<PostId, UserId>('likes', 'post_id', 'user_id');

/** What a user likes. */
export const listLikedPosts = edgeList<UserId, PostId>('liked_posts', 'user_id', 'post_id');

/** How many posts a user likes. */
export async function countLikedPosts(db: Queryable, userId: UserId): Promise<number> {
  const row = await db.get(sql`SELECT COUNT(*) AS liked FROM liked_posts WHERE user_id = ${userId}`);
  return asNumber(row?.liked);
}
