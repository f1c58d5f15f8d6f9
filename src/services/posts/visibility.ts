import type { PostId, UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import { postVisibility } from '../../core/visibility.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import type { Queryable } from '../../database/engine.js';
import { followedAmong } from '../../stores/follows.js';
import { findPost } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';

/**
 * Reports whether the user may see the post. A repost is visible when both it and its original are, because it
 * carries the original's text.
 */
export async function canSeePost(db: Queryable, viewerId: UserId, post: Post): Promise<boolean> {
  const original = post.repostedPostId === undefined ? undefined : await findPost(db, post.repostedPostId);
  const authors = original ? [post.authorId, original.authorId] : [post.authorId];
  const states = await findAccountStates(db, authors);
  const viewer = {
    userId: viewerId,
    follows: await followedAmong(db, viewerId, authors),
    blockedBy: await blockersAmong(db, viewerId, authors),
  };
  return postVisibility(viewer, post, original, states) === 'visible';
}

/**
 * Returns the post that an action on `id` applies to: the original of a repost
 * (docs/api/posts.md#replies-quotes-and-reposts). Returns undefined when it is missing or not visible.
 */
export async function findVisibleOriginal(
  db: Queryable,
  viewerId: UserId,
  id: PostId,
): Promise<Post | undefined> {
  const post = await findPost(db, id);
  if (!post || !(await canSeePost(db, viewerId, post))) return undefined;
  if (post.repostedPostId === undefined) return post;
  return findVisibleOriginal(db, viewerId, post.repostedPostId);
}

/** Reports whether either user blocks the other. */
export async function isBlockedEitherWay(db: Queryable, one: UserId, other: UserId): Promise<boolean> {
  const blocked = await blockedAmong(db, one, [other]);
  return blocked.size > 0 || (await blockersAmong(db, one, [other])).size > 0;
}
