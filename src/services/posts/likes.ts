import type { UserPrincipal } from '../../core/access.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import { deleteLike, insertLike, listLikedPosts, listLikers } from '../../stores/likes.js';
import type { ServiceDeps } from '../service-deps.js';
import { findFirstVersionId } from './action-rules.js';
import { countedEdges } from './counted-edges.js';

export type LikeService = ReturnType<typeof createLikeService>;

/**
 * Creates the service for likes (docs/api/errors.md#refused-actions, docs/api/timelines.md#likes-and-bookmarks,
 * docs/api/people.md#follows-blocks-and-mutes). Changes are idempotent. Lists are newest like first, without
 * visibility filtering.
 */
export function createLikeService(deps: Pick<ServiceDeps, 'engine' | 'ids'>) {
  const { engine } = deps;
  const edges = countedEdges(deps, { name: 'like', count: 'likes', insert: insertLike, delete: deleteLike });
  return {
    /** Throws 'resource-not-found' for an unknown post, and 'forbidden' for one that is hidden or behind a block. */
    add: async ({ userId }: UserPrincipal, id: PostId): Promise<void> => {
      await engine.tx('like', (tx) => edges.add(tx, userId, id), 'read-committed');
    },
    remove: ({ userId }: UserPrincipal, id: PostId) =>
      engine.tx('remove like', (tx) => edges.remove(tx, userId, id), 'read-committed'),
    listLikers: async (postId: PostId, request: PageRequest) =>
      listLikers(engine, await findFirstVersionId(engine, postId), request),
    listLiked: (userId: UserId, request: PageRequest) => listLikedPosts(engine, userId, request),
  };
}
