import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import { firstVersionId, type Post } from '../../core/post.js';
import { REFUSED } from '../../core/refused-actions.js';
import { postVisibility, type AccountState } from '../../core/visibility.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { followedAmong } from '../../stores/follows.js';
import { findPost } from '../../stores/posts.js';
import { lockPost, lockUsers } from '../../stores/locks.js';
import { findAccountStates } from '../../stores/users.js';

/** Returns the 403 for an action that a block or an account's state forbids (docs/api/errors.md#refused-actions). */
export function notPermitted(): PipitError {
  return forbidden(REFUSED.notPermitted);
}

/** Throws `notPermitted` when either user blocks the other (docs/api/people.md#follows-blocks-and-mutes). */
export async function requireNoBlock(db: Queryable, one: UserId, other: UserId): Promise<void> {
  if (await isBlockedEitherWay(db, one, other)) throw notPermitted();
}

/**
 * Throws `notPermitted` for a suspended account. An account is suspended before it is deleted, so this also prevents
 * new edges during deletion.
 */
export async function requireActive(db: Queryable, userId: UserId): Promise<void> {
  const state = (await findAccountStates(db, [userId])).get(userId);
  if (state?.suspended !== false) throw notPermitted();
}

/** Returns the account named by `target_user_id`. Throws 'resource-not-found' when it does not exist. */
export async function requireTarget(db: Queryable, id: UserId): Promise<AccountState> {
  const state = (await findAccountStates(db, [id])).get(id);
  if (state) return state;
  throw resourceNotFound({ resourceType: 'user', parameter: 'target_user_id', value: String(id) });
}

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
 * Returns the post that an action on `id` applies to: the original of a repost, and the first version of an edited
 * post (docs/api/posts.md#replies-quotes-and-reposts, docs/api/posts.md#edits). Returns undefined when it is missing
 * or not visible.
 */
export async function findVisibleOriginal(
  db: Queryable,
  viewerId: UserId,
  id: PostId,
): Promise<Post | undefined> {
  const post = await findPost(db, id);
  if (!post || !(await canSeePost(db, viewerId, post))) return undefined;
  if (post.repostedPostId !== undefined) return findVisibleOriginal(db, viewerId, post.repostedPostId);
  const firstId = firstVersionId(post);
  return firstId === id ? post : findPost(db, firstId);
}

/** Reports whether either user blocks the other. */
export async function isBlockedEitherWay(db: Queryable, one: UserId, other: UserId): Promise<boolean> {
  const blocked = await blockedAmong(db, one, [other]);
  return blocked.size > 0 || (await blockersAmong(db, one, [other])).size > 0;
}

/**
 * Returns the post named by `parameter`, or its original if it is a repost
 * (docs/api/posts.md#replies-quotes-and-reposts). Throws 'resource-not-found' when there is none, and 'forbidden'
 * when the user may not see it (docs/api/errors.md#refused-actions).
 *
 * Locks user and post first, so that neither is deleted while an edge to them is inserted. With this lock, actions on
 * posts need no more than read-committed isolation.
 */
export async function requirePostTarget(
  tx: Tx,
  userId: UserId,
  id: PostId,
  parameter = 'tweet_id',
): Promise<Post> {
  await lockUsers(tx, [userId]);
  const named = await findPost(tx, id);
  if (!named) throw resourceNotFound({ resourceType: 'tweet', parameter, value: String(id) });
  await lockPost(tx, named.repostedPostId ?? firstVersionId(named));
  const target = await findVisibleOriginal(tx, userId, id);
  if (!target) throw notPermitted();
  await requireActive(tx, userId);
  return target;
}

/**
 * Returns the post that undoing an action on `id` applies to: the original of a repost, and the first version of an
 * edited post. Ignores visibility.
 */
export async function originalId(db: Queryable, id: PostId): Promise<PostId> {
  const post = await findPost(db, id);
  return post?.repostedPostId ?? (post && firstVersionId(post)) ?? id;
}

/** Returns the first version of the post, which its lists of likes, reposts and quotes name. */
export async function findFirstVersionId(db: Queryable, id: PostId): Promise<PostId> {
  const post = await findPost(db, id);
  return post ? firstVersionId(post) : id;
}
