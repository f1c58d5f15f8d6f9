import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import { firstVersionId, newestVersionId, type Post } from '../../core/post.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { Tx } from '../../database/engine.js';
import { lockPost, lockUsers } from '../../stores/locks.js';
import {
  countHiddenReplies,
  deleteHiddenReply,
  insertHiddenReply,
  isHiddenReply,
} from '../../stores/post-links.js';
import { findPost } from '../../stores/posts.js';
import { setPinnedPost } from '../../stores/users.js';
import { canSeePost, requireActive } from './action-rules.js';
import { enqueueRetraction, type HomeWriteDeps } from '../timelines/home-writes.js';
import { createPost, type CreatePostDeps } from './create-post.js';
import { deletePostWithConsequences } from './delete-post.js';
import { editPost } from './edit-post.js';
import type { PostInput } from './post-draft.js';
import { postIdOfStatusUrl, withoutScheme } from './status-links.js';

/** The maximum number of hidden replies per conversation (docs/api/posts.md#reply-settings). */
const MAX_HIDDEN = 725;

/**
 * Creating, deleting, pinning and hiding posts (docs/api/posts.md#hidden-replies, docs/api/posts.md). Each call is one
 * transaction.
 */
export type PostService = ReturnType<typeof createPostService>;

type PostDeps = CreatePostDeps & HomeWriteDeps;

export function createPostService(deps: PostDeps) {
  return {
    /** Creates a post, or a new version of the post that `previousPostId` names. */
    create: (principal: UserPrincipal, input: PostInput) =>
      input.previousPostId === undefined
        ? createPost(deps, principal, input)
        : editPost(deps, principal, input.previousPostId, input),
    /** Returns the id of the post that a link on this server or on X names; undefined for any other text. */
    linkedPost: (url: string): PostId | undefined => postIdOfStatusUrl(url, [withoutScheme(deps.publicUrl)]),
    /** Deletes a post. Throws 'resource-not-found' for an unknown post and 'forbidden' for another user's post. */
    delete: (principal: UserPrincipal, id: PostId) =>
      deps.engine.tx('delete post', async (tx) => {
        const post = await requirePost(tx, principal, id);
        if (post.authorId !== principal.userId) {
          throw forbidden(REFUSED.deletion);
        }
        await enqueueRetraction(tx, deps, await deletePostWithConsequences(tx, post, deps.clock()));
      }),
    /**
     * Pins a post of the user to the user's profile, in place of another (docs/api/pipit.md#pinned-post). Throws
     * 'resource-not-found' for an unknown or invisible post, and 'forbidden' for another user's post or a repost.
     */
    pin: ({ userId }: UserPrincipal, id: PostId) =>
      deps.engine.tx('pin post', (tx) => pinPost(tx, userId, id), 'read-committed'),
    /** Unpins the pinned post of the user. Idempotent. */
    unpin: ({ userId }: UserPrincipal) =>
      deps.engine.tx(
        'unpin post',
        (tx) => setPinnedPost(tx, userId, { pinnedPostId: undefined }),
        'read-committed',
      ),
    /**
     * Hides or shows a reply in a conversation that the user started. Idempotent. Throws 'resource-not-found' for an
     * unknown post, and 'forbidden' when the post is not such a reply or too many replies are hidden.
     */
    setHidden: (principal: UserPrincipal, namedId: PostId, hidden: boolean) =>
      deps.engine.tx('hide reply', async (tx) => {
        const post = await requirePost(tx, principal, namedId);
        await requireMayHide(tx, principal, post);
        const id = firstVersionId(post);
        if (!hidden) await deleteHiddenReply(tx, post.conversationId, id);
        else if (!(await isHiddenReply(tx, post.conversationId, id))) await hideReply(tx, post);
      }),
  };
}

async function requirePost(tx: Tx, principal: UserPrincipal, id: PostId): Promise<Post> {
  const post = await findPost(tx, id);
  // Users may delete their own repost even when they no longer see its original.
  if (post?.authorId === principal.userId) return post;
  if (post && (await canSeePost(tx, principal.userId, post))) return post;
  throw resourceNotFound({ resourceType: 'tweet', parameter: 'id', value: String(id) });
}

/**
 * Throws unless the post is another user's reply in a conversation that the user started
 * (docs/api/posts.md#reply-settings).
 */
async function requireMayHide(tx: Tx, principal: UserPrincipal, post: Post): Promise<void> {
  const root = await findPost(tx, post.conversationId);
  const isReply = post.inReplyToPostId !== undefined;
  if (!isReply || root?.authorId !== principal.userId || post.authorId === principal.userId) {
    throw mayNotHide();
  }
}

async function hideReply(tx: Tx, reply: Post): Promise<void> {
  if ((await countHiddenReplies(tx, reply.conversationId)) >= MAX_HIDDEN) throw mayNotHide();
  await insertHiddenReply(tx, reply.conversationId, firstVersionId(reply));
}

function mayNotHide(): PipitError {
  return forbidden('You are not permitted to hide this reply.');
}

async function pinPost(tx: Tx, userId: UserId, id: PostId): Promise<void> {
  await lockUsers(tx, [userId]);
  const named = await requireSeen(tx, userId, id);
  await lockPost(tx, firstVersionId(named));
  // The post may have been deleted while this transaction waited for the lock.
  const post = await requireSeen(tx, userId, id);
  await requireActive(tx, userId);
  if (post.authorId !== userId) throw forbidden('You can only pin your own Tweets.');
  if (post.repostedPostId !== undefined) throw forbidden('You cannot pin a Retweet.');
  await setPinnedPost(tx, userId, { pinnedPostId: newestVersionId(post) });
}

async function requireSeen(tx: Tx, userId: UserId, id: PostId): Promise<Post> {
  const post = await findPost(tx, id);
  if (post && (await canSeePost(tx, userId, post))) return post;
  throw resourceNotFound({ resourceType: 'tweet', parameter: 'post_id', value: String(id) });
}
