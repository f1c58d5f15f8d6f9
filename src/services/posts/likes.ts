import type { UserPrincipal } from '../../core/access.js';
import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { IdSource } from '../../core/snowflake.js';
import type { Engine, Tx } from '../../database/engine.js';
import { deleteLike, insertLike, listLikedPosts, listLikers } from '../../stores/likes.js';
import { decrementPostCount, incrementPostCount } from '../../stores/posts.js';
import { lockUsers } from '../../stores/user-locks.js';
import { requireNoBlock } from './action-rules.js';
import { originalId, requirePostTarget } from './post-target.js';

/** Likes (docs/api/errors.md#refused-actions, docs/api/timelines.md#likes-and-bookmarks; docs/api/people.md#follows-blocks-and-mutes, docs/api/timelines.md#likes-and-bookmarks). Each change is one durable transaction. */
export interface LikeService {
  /**
   * Repeated, it changes nothing. Throws 'resource-not-found' for an unknown post and 'forbidden' for one that the user
   * may not see and over a block.
   */
  like(principal: UserPrincipal, postId: PostId): Promise<void>;
  /** Nothing when the post is not liked, or not there. */
  unlike(principal: UserPrincipal, postId: PostId): Promise<void>;
  /** Who likes the post, the newest like first, before anybody is hidden. */
  listLikers(postId: PostId, request: PageRequest): Promise<Page<UserId>>;
  /** What the user likes, the newest like first, before anything is hidden. */
  listLiked(userId: UserId, request: PageRequest): Promise<Page<PostId>>;
}

export function createLikeService({
  engine,
  ids,
}: {
  readonly engine: Engine;
  readonly ids: IdSource;
}): LikeService {
  return {
    like: ({ userId }, id) => engine.tx('like', (tx) => like(tx, ids, userId, id), 'read-committed'),
    unlike: ({ userId }, id) => engine.tx('unlike', (tx) => unlike(tx, userId, id), 'read-committed'),
    listLikers: (postId, request) => listLikers(engine, postId, request),
    listLiked: (userId, request) => listLikedPosts(engine, userId, request),
  };
}

async function like(tx: Tx, ids: IdSource, userId: UserId, id: PostId): Promise<void> {
  const { id: postId, authorId } = await requirePostTarget(tx, userId, id);
  await requireNoBlock(tx, userId, authorId);
  const isNew = await insertLike(tx, { userId, postId, edgeId: ids.next<EdgeId>() });
  if (isNew) await incrementPostCount(tx, postId, 'likes');
}

/** Right statement by statement: whoever deletes the row counts it. The lock orders likes and unlikes of one user. */
async function unlike(tx: Tx, userId: UserId, id: PostId): Promise<void> {
  await lockUsers(tx, [userId]);
  const postId = await originalId(tx, id);
  if (await deleteLike(tx, userId, postId)) await decrementPostCount(tx, postId, 'likes');
}
