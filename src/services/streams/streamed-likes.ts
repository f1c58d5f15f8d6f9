import type { FeedEvent } from '../../core/feed-event.js';
import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import { activityVisibility, type Viewer } from '../../core/visibility.js';
import type { FeedEntry } from '../../database/feed.js';
import type { Queryable } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';

/** A like that was made. */
export interface StreamedLike {
  readonly id: EdgeId;
  readonly userId: UserId;
  readonly likedAtMs: number;
  readonly post: Post;
}

type LikeMade = Extract<FeedEvent, { kind: 'like-made' | 'like-undone' }> & { readonly edgeId: EdgeId };

/** An app. */
const NOBODY: Viewer = { follows: new Set(), blockedBy: new Set() };

/**
 * Returns the likes that entries of the feed made and that `isChosen`, in order, unless their user's activity is not
 * public or the post is gone. Whether the post is visible is left to the view.
 */
export async function likesOf(
  db: Queryable,
  entries: readonly FeedEntry[],
  isChosen: (id: EdgeId) => boolean,
): Promise<StreamedLike[]> {
  const made = entries.flatMap(({ atMs, events }) =>
    events.flatMap((event) => (isMade(event) && isChosen(event.edgeId) ? [{ ...event, atMs }] : [])),
  );
  const posts = await findPosts(db, unique<PostId>(made.map(({ postId }) => postId)));
  const accounts = await findAccountStates(db, unique<UserId>(made.map(({ userId }) => userId)));
  return made.flatMap(({ edgeId, userId, postId, atMs }) => {
    const post = posts.get(postId);
    const isPublic = activityVisibility(NOBODY, userId, accounts.get(userId)) === 'visible';
    return post !== undefined && isPublic ? [{ id: edgeId, userId, likedAtMs: atMs, post }] : [];
  });
}

function isMade(event: FeedEvent): event is LikeMade {
  return event.kind === 'like-made' && event.edgeId !== undefined;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
