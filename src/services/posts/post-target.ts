import { resourceNotFound } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { lockPost } from '../../stores/post-locks.js';
import { findPost } from '../../stores/posts.js';
import { lockUsers } from '../../stores/user-locks.js';
import { notPermitted, requireActive } from './action-rules.js';
import { findVisibleOriginal } from './visibility.js';

/**
 * The post that a body's `tweet_id` names, of a repost the original (docs/api/posts.md#replies-quotes-and-reposts). Throws PipitError
 * 'resource-not-found' when there is none, 'forbidden' when the user may not see it (docs/api/errors.md#refused-actions).
 *
 * User and post are locked first, so that neither goes away while something is attached to them: this is what lets
 * actions on posts rely on statements alone, as many act on one post at once.
 */
export async function requirePostTarget(tx: Tx, userId: UserId, id: PostId): Promise<Post> {
  await lockUsers(tx, [userId]);
  const named = await findPost(tx, id);
  if (!named) throw resourceNotFound({ resourceType: 'tweet', parameter: 'tweet_id', value: String(id) });
  await lockPost(tx, named.repostedPostId ?? id);
  const target = await findVisibleOriginal(tx, userId, id);
  if (!target) throw notPermitted();
  await requireActive(tx, userId);
  return target;
}

/** The post that undoing an action on `id` concerns: of a repost the original, seen or not. */
export async function originalId(db: Queryable, id: PostId): Promise<PostId> {
  return (await findPost(db, id))?.repostedPostId ?? id;
}
