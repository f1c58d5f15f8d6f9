import type { UserPrincipal } from '../../core/access.js';
import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type PageRequest } from '../../core/page.js';
import type { Tx } from '../../database/engine.js';
import { deleteBookmark, findBookmarkKey, insertBookmark, listBookmarks } from '../../stores/bookmarks.js';
import { deleteLike, insertLike, listLikedPosts, listLikers } from '../../stores/likes.js';
import { decrementPostCount, incrementPostCounts, type PostCount } from '../../stores/posts.js';
import { lockUsers } from '../../stores/locks.js';
import { requireNoBlock, originalId, requirePostTarget } from './action-rules.js';
import type { ServiceDeps } from '../service-deps.js';

/** The number of bookmarks that listing can reach (docs/api/limits.md#sizes). */
const MAX_REACHABLE = 800;

type Deps = Pick<ServiceDeps, 'engine' | 'ids'>;

export type LikeService = ReturnType<typeof createLikeService>;

/**
 * Creates the service for likes (docs/api/errors.md#refused-actions, docs/api/timelines.md#likes-and-bookmarks,
 * docs/api/people.md#follows-blocks-and-mutes). Lists are newest like first, without visibility filtering.
 */
export function createLikeService(deps: Deps) {
  return {
    /** `add` also throws 'forbidden' for a post whose author has a block with the user. */
    ...countedEdges(deps, { name: 'like', count: 'likes', insert: insertLike, delete: deleteLike }),
    listLikers: (postId: PostId, request: PageRequest) => listLikers(deps.engine, postId, request),
    listLiked: (userId: UserId, request: PageRequest) => listLikedPosts(deps.engine, userId, request),
  };
}

export type BookmarkService = ReturnType<typeof createBookmarkService>;

/** Creates the service for bookmarks (docs/api/timelines.md#likes-and-bookmarks). */
export function createBookmarkService(deps: Deps) {
  const { engine } = deps;
  return {
    ...countedEdges(deps, {
      name: 'bookmark',
      count: 'bookmarks',
      insert: insertBookmark,
      delete: deleteBookmark,
    }),
    /**
     * Lists the newest 800 bookmarks of the user, without visibility filtering. The first page fixes the limit;
     * bookmarks of deleted posts do not count towards it.
     */
    list: async (userId: UserId, request: PageRequest) => {
      const oldest = request.cursor
        ? request.cursor.extra[0]
        : await findBookmarkKey(engine, userId, MAX_REACHABLE);
      if (oldest === undefined) return listBookmarks(engine, userId, request);
      const window = { ...EVERY_KEY, above: oldest - 1n };
      return listBookmarks(engine, userId, request, { window, extra: [oldest] });
    },
  };
}

/** A kind of edge from users to posts, and the count of the post that it changes. */
interface CountedEdge {
  readonly name: 'like' | 'bookmark';
  readonly count: PostCount;
  readonly insert: typeof insertLike;
  readonly delete: typeof deleteLike;
}

/** Creates the two changes of such an edge, each one transaction. */
function countedEdges({ engine, ids }: Deps, edge: CountedEdge) {
  const add = async (tx: Tx, userId: UserId, id: PostId): Promise<void> => {
    const { id: postId, authorId } = await requirePostTarget(tx, userId, id);
    if (edge.name === 'like') await requireNoBlock(tx, userId, authorId);
    const isNew = await edge.insert(tx, userId, postId, ids.next<EdgeId>());
    if (isNew) await incrementPostCounts(tx, [[postId, edge.count]]);
  };
  /**
   * Safe under read-committed: only the transaction that deletes the row updates the count. The lock serializes
   * changes by one user.
   */
  const remove = async (tx: Tx, userId: UserId, id: PostId): Promise<void> => {
    await lockUsers(tx, [userId]);
    const postId = await originalId(tx, id);
    if (await edge.delete(tx, userId, postId)) await decrementPostCount(tx, postId, edge.count);
  };
  return {
    /**
     * Adds the edge. Idempotent: keeps an existing one. Throws 'resource-not-found' for an unknown post and
     * 'forbidden' for one that the user may not see.
     */
    add: ({ userId }: UserPrincipal, id: PostId) =>
      engine.tx(edge.name, (tx) => add(tx, userId, id), 'read-committed'),
    /** Removes the edge. Idempotent, also for an unknown post. */
    remove: ({ userId }: UserPrincipal, id: PostId) =>
      engine.tx(`remove ${edge.name}`, (tx) => remove(tx, userId, id), 'read-committed'),
  };
}
