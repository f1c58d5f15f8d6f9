import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import type { insertLike } from '../../stores/likes.js';
import { lockUsers } from '../../stores/locks.js';
import { decrementPostCount, incrementPostCounts, type PostCount } from '../../stores/posts.js';
import { notifyOfReaction } from '../notifications/notify.js';
import type { ServiceDeps } from '../service-deps.js';
import { originalId, requireNoBlock, requirePostTarget } from './action-rules.js';

/** A kind of edge from users to posts, and the count of the post that it changes. */
interface CountedEdge {
  readonly name: 'like' | 'bookmark';
  readonly count: PostCount;
  readonly insert: typeof insertLike;
  readonly delete: (tx: Tx, userId: UserId, id: PostId) => Promise<boolean>;
}

/** Creates the two changes of such an edge, to be made in a transaction. */
export function countedEdges({ ids }: Pick<ServiceDeps, 'ids'>, edge: CountedEdge) {
  return {
    /**
     * Adds the edge and returns its post: of a repost, the original. Idempotent: keeps an existing edge. Throws
     * 'resource-not-found' for an unknown post and 'forbidden' for one that the user may not see.
     */
    add: async (tx: Tx, userId: UserId, id: PostId): Promise<PostId> => {
      const { id: postId, authorId } = await requirePostTarget(tx, userId, id);
      if (edge.name === 'like') await requireNoBlock(tx, userId, authorId);
      const key = ids.next<EdgeId>();
      if (!(await edge.insert(tx, userId, postId, key))) return postId;
      await incrementPostCounts(tx, [[postId, edge.count]]);
      if (edge.name === 'like') await notifyOfReaction(tx, authorId, { kind: 'like', userId, postId, key });
      return postId;
    },
    /**
     * Removes the edge. Idempotent, also for an unknown post. Safe under read-committed: only the
     * transaction that deletes the row updates the count. The lock serializes changes by one user.
     */
    remove: async (tx: Tx, userId: UserId, id: PostId): Promise<void> => {
      await lockUsers(tx, [userId]);
      const postId = await originalId(tx, id);
      if (await edge.delete(tx, userId, postId)) await decrementPostCount(tx, postId, edge.count);
    },
  };
}
