import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import type { Post } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Queryable, Tx } from '../../database/engine.js';
import {
  deleteRepost,
  findRepostId,
  listQuotes,
  listReposted,
  listReposters,
  listReposts,
} from '../../stores/post-links.js';
import { decrementPostCount, findPost } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';
import { findFirstVersionId, requireNoBlock, originalId, requirePostTarget } from './action-rules.js';
import { deletePostWithConsequences } from './delete-post.js';
import type { PostWriter } from './write-post.js';
import { enqueueRetraction } from '../timelines/home-writes.js';
import type { ServiceDeps } from '../service-deps.js';

interface RepostDeps extends ServiceDeps {
  readonly writer: PostWriter;
}

/**
 * Reposts, reposters and quotes (docs/api/errors.md#refused-actions, docs/api/timelines.md#quotes,
 * docs/api/posts.md#replies-quotes-and-reposts, docs/api/people.md#follows-blocks-and-mutes). Each change is one
 * transaction. Lists are newest first, without visibility filtering.
 */
export type RepostService = ReturnType<typeof createRepostService>;

export function createRepostService(deps: RepostDeps) {
  const { engine } = deps;
  return {
    /**
     * Reposts a post. Idempotent. Throws 'resource-not-found' for an unknown post, and 'forbidden' for one that the
     * user may not see, a block, or a post that other users limit to their followers.
     */
    repost: (principal: UserPrincipal, id: PostId) =>
      engine.tx('repost', (tx) => repost(tx, deps, principal, id), 'read-committed'),
    /** Deletes the user's repost of the post. Idempotent. */
    undo: ({ userId }: UserPrincipal, id: PostId) =>
      engine.tx('undo repost', (tx) => undo(tx, deps, userId, id)),
    listReposters: async (postId: PostId, request: PageRequest) =>
      listReposters(engine, await findFirstVersionId(engine, postId), request),
    listReposts: async (postId: PostId, request: PageRequest) =>
      listReposts(engine, await findFirstVersionId(engine, postId), request),
    /** Lists quotes, including reposts of quotes (docs/api/posts.md#replies-quotes-and-reposts). */
    listQuotes: async (postId: PostId, request: PageRequest) =>
      listQuotes(engine, await findFirstVersionId(engine, postId), request),
    /** Lists the user's own posts that have reposts. */
    listReposted: (userId: UserId, request: PageRequest) => listReposted(engine, userId, request),
  };
}

async function repost(tx: Tx, deps: RepostDeps, { userId, app }: UserPrincipal, id: PostId): Promise<void> {
  const target = await requirePostTarget(tx, userId, id);
  await requireNoBlock(tx, userId, target.authorId);
  await requireOpen(tx, userId, target);
  const repostId = deps.ids.next<PostId>();
  await deps.writer.writeRepost(tx, {
    id: repostId,
    authorId: userId,
    createdAtMs: timeOfId(repostId) ?? 0,
    postId: target.id,
    source: app.name,
  });
}

/** Throws when another author limits the post to followers (docs/api/posts.md#duplicates). */
async function requireOpen(db: Queryable, userId: UserId, target: Post): Promise<void> {
  if (target.authorId === userId) return;
  const author = (await findAccountStates(db, [target.authorId])).get(target.authorId);
  if (author?.protected || target.superFollowersOnly) {
    throw forbidden('You cannot retweet a Tweet from a protected account.');
  }
}

async function undo(tx: Tx, deps: RepostDeps, userId: UserId, id: PostId): Promise<void> {
  const postId = await originalId(tx, id);
  const repostId = await findRepostId(tx, postId, userId);
  const post = repostId === undefined ? undefined : await findPost(tx, repostId);
  if (post) {
    await enqueueRetraction(tx, deps, await deletePostWithConsequences(tx, post, deps.clock()));
  } else if (await deleteRepost(tx, postId, userId)) {
    await decrementPostCount(tx, postId, 'reposts');
  }
}
