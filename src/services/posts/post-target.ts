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
 * Returns the post named by `tweet_id`, or its original if it is a repost
 * (docs/api/posts.md#replies-quotes-and-reposts). Throws 'resource-not-found' when there is none, and 'forbidden'
 * when the user may not see it (docs/api/errors.md#refused-actions).
 *
 * Locks user and post first, so that neither is deleted while an edge to them is inserted. With this lock, actions on
 * posts need no more than read-committed isolation.
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

/** Returns the post that undoing an action on `id` applies to: the original of a repost. Ignores visibility. */
export async function originalId(db: Queryable, id: PostId): Promise<PostId> {
  return (await findPost(db, id))?.repostedPostId ?? id;
}
