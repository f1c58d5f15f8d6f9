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

/**
 * Likes (docs/api/errors.md#refused-actions, docs/api/timelines.md#likes-and-bookmarks,
 * docs/api/people.md#follows-blocks-and-mutes). Each change is one transaction.
 */
export interface LikeService {
  /**
   * Likes a post. Idempotent. Throws 'resource-not-found' for an unknown post, and 'forbidden' for one that the user
   * may not see or whose author has a block with the user.
   */
  like(principal: UserPrincipal, postId: PostId): Promise<void>;
  /** Removes a like. Idempotent, also for an unknown post. */
  unlike(principal: UserPrincipal, postId: PostId): Promise<void>;
  /** Lists the users who like the post, newest like first, without visibility filtering. */
  listLikers(postId: PostId, request: PageRequest): Promise<Page<UserId>>;
  /** Lists the posts that the user likes, newest like first, without visibility filtering. */
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
  const isNew = await insertLike(tx, userId, postId, ids.next<EdgeId>());
  if (isNew) await incrementPostCount(tx, postId, 'likes');
}

/**
 * Safe under read-committed: only the transaction that deletes the row updates the count. The lock serializes likes
 * and unlikes by one user.
 */
async function unlike(tx: Tx, userId: UserId, id: PostId): Promise<void> {
  await lockUsers(tx, [userId]);
  const postId = await originalId(tx, id);
  if (await deleteLike(tx, userId, postId)) await decrementPostCount(tx, postId, 'likes');
}
