import type { EdgeId, PostId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { deleteEmptyOfPost } from './notifications.js';
import { amongEdges, deleteEdgesOf, edgeList, edgeWriter, withEvents } from './edges.js';
import { countQuery } from '../database/table.js';

const LIKES = withEvents<UserId, PostId, [EdgeId]>(
  edgeWriter(['likes', 'user_id', 'post_id', 'edge_id'], ['liked_posts', 'user_id', 'post_id', 'edge_id']),
  (userId, postId, edgeId) => ({ kind: 'like-made', userId, postId, edgeId }),
  (userId, postId) => ({ kind: 'like-undone', userId, postId }),
);

export const insertLike = LIKES.insert;

/** Deletes a like, and its notification with the last of its likes. Returns false if there is none. */
export async function deleteLike(tx: Tx, userId: UserId, postId: PostId): Promise<boolean> {
  if (!(await LIKES.delete(tx, userId, postId))) return false;
  await deleteEmptyOfPost(tx, 'like', postId);
  return true;
}

/** Deletes all likes of a post. */
export function deleteLikesOfPost(tx: Tx, postId: PostId): Promise<void> {
  return deleteEdgesOf(tx, postId, 'likes', 'liked_posts', { own: 'post_id', other: 'user_id' });
}

/** Lists the users who like a post. */
export const listLikers = edgeList<PostId, UserId>('likes', 'post_id', 'user_id');

/** Lists the posts that a user likes. */
export const listLikedPosts = edgeList<UserId, PostId>('liked_posts', 'user_id', 'post_id');

/** Returns the candidates that the user likes. */
export const likedAmong = amongEdges<PostId, UserId>('liked_posts', 'user_id', 'post_id');

/** Counts the posts that a user likes. */
export const countLikedPosts = countQuery<[userId: UserId]>('liked_posts WHERE user_id = ?');

/** Counts the posts that each of these users likes. */
export async function findLikedCounts(
  db: Queryable,
  userIds: readonly UserId[],
): Promise<Map<UserId, number>> {
  const counts = new Map<UserId, number>();
  for (const id of userIds) counts.set(id, await countLikedPosts(db, id));
  return counts;
}
