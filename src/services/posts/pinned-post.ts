import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import { firstVersionId, newestVersionId, type Post } from '../../core/post.js';
import type { Engine, Tx } from '../../database/engine.js';
import { lockPost, lockUsers } from '../../stores/locks.js';
import { findPost } from '../../stores/posts.js';
import { setPinnedPost } from '../../stores/users.js';
import { canSeePost, requireActive } from './action-rules.js';

/**
 * Pins a post of the user to the user's profile, in place of another (docs/api/pipit.md#pinned-post). Throws
 * 'resource-not-found' for an unknown or invisible post, and 'forbidden' for another user's post or a repost.
 */
export async function pinPost(
  { engine }: { readonly engine: Engine },
  { userId }: UserPrincipal,
  id: PostId,
): Promise<void> {
  const pin = async (tx: Tx): Promise<void> => {
    await lockUsers(tx, [userId]);
    const named = await requireSeen(tx, userId, id);
    await lockPost(tx, firstVersionId(named));
    // The post may have been deleted while this transaction waited for the lock.
    const post = await requireSeen(tx, userId, id);
    await requireActive(tx, userId);
    if (post.authorId !== userId) throw forbidden('You can only pin your own Tweets.');
    if (post.repostedPostId !== undefined) throw forbidden('You cannot pin a Retweet.');
    await setPinnedPost(tx, userId, { pinnedPostId: newestVersionId(post) });
  };
  await engine.tx('pin post', pin, 'read-committed');
}

/** Unpins the pinned post of the user. Idempotent. */
export async function unpinPost(
  { engine }: { readonly engine: Engine },
  { userId }: UserPrincipal,
): Promise<void> {
  await engine.tx(
    'unpin post',
    (tx) => setPinnedPost(tx, userId, { pinnedPostId: undefined }),
    'read-committed',
  );
}

async function requireSeen(tx: Tx, userId: UserId, id: PostId): Promise<Post> {
  const post = await findPost(tx, id);
  if (post && (await canSeePost(tx, userId, post))) return post;
  throw resourceNotFound({ resourceType: 'tweet', parameter: 'post_id', value: String(id) });
}
