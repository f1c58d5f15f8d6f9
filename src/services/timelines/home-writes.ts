import { MAX_ID, type PostId, type UserId } from '../../core/ids.js';
import type { Signal } from '../../core/loop.js';
import type { Post } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import {
  deleteAuthorEntries,
  deleteHomeTimeline,
  HOME_DEPTH,
  insertAuthorsEntries,
  lockHomeTimeline,
} from '../../stores/home-timelines.js';
import type { JobQueue } from '../../stores/job-queue.js';
import {
  deleteLargeFollow,
  findLargeAuthor,
  insertLargeAuthor,
  insertLargeFollows,
  type LargeAuthorState,
} from '../../stores/large-authors.js';
import { insertPendingFanOut } from '../../stores/pending-fan-outs.js';
import { homeEntries } from '../../stores/timeline-entries.js';
import { findUserCounts } from '../../stores/users.js';

/**
 * Updates to home timelines inside other transactions: posting enqueues the fan-out; following and unfollowing add
 * and remove the author's posts (docs/design/timelines.md#home-timelines).
 */
export interface HomeWriteDeps {
  readonly queue: JobQueue;
}

/** Authors with more followers are not fanned out; their posts are merged on read. */
export const LARGE_AUTHOR_FOLLOWERS = 5_000;

/** A timeline with this many entries may have been truncated at HOME_DEPTH, even if deletions shortened it since. */
export const MAYBE_CUT = HOME_DEPTH / 2;

/** Lower than every id. */
const BELOW_ALL = -1n as PostId;

/**
 * Enqueues the fan-out of new posts and wakes the fan-out loop after commit. Must be sent after the update of their
 * authors' post counts: these rows serialize posting and following, so that one of them sees the other.
 */
export async function enqueueFanOut(ordered: Signal, tx: Tx, posts: readonly Post[]): Promise<void> {
  const areFollowed = await Promise.all(posts.map((post) => insertPendingFanOut(tx, post)));
  if (areFollowed.includes(true)) tx.afterCommit(ordered.notify);
}

/** Enqueues the removal of deleted posts from home timelines; until then they are filtered on read. */
export async function enqueueRetraction(
  tx: Tx,
  { queue }: HomeWriteDeps,
  posts: readonly Post[],
): Promise<void> {
  for (const { id, authorId } of posts) {
    if ((await countFollowers(tx, authorId)) === 0) continue;
    const payload = { postId: String(id), authorId: String(authorId) };
    await queue.enqueue(tx, { kind: 'retract-post', payload });
  }
}

/** Adds the author's posts to the user's timeline if it is built. Must run after the follow is stored and counted. */
export async function addFollowedAuthor(
  tx: Tx,
  deps: HomeWriteDeps,
  userId: UserId,
  authorId: UserId,
): Promise<void> {
  const state = await largeAuthorState(tx, deps, authorId);
  if (state !== undefined) await insertLargeFollows(tx, authorId, [userId]);
  if (state === 'ready' || !(await lockHomeTimeline(tx, userId))) return;
  await insertAuthorsEntries(tx, userId, [authorId], BELOW_ALL, MAX_ID, HOME_DEPTH);
}

/**
 * Removes the author's posts from the user's timeline. A long timeline is deleted instead, because rebuilding it also
 * restores older posts that had been truncated. Must run after the follow is removed.
 */
export async function removeFollowedAuthor(tx: Tx, userId: UserId, authorId: UserId): Promise<void> {
  await deleteLargeFollow(tx, userId, authorId);
  if (!(await lockHomeTimeline(tx, userId))) return;
  const isLong = (await homeEntries.nthNewest(tx, userId, MAYBE_CUT)) !== undefined;
  await (isLong ? deleteHomeTimeline(tx, userId) : deleteAuthorEntries(tx, userId, authorId));
}

/** Marks the author as large when the new follow crosses the threshold. */
async function largeAuthorState(
  tx: Tx,
  { queue }: HomeWriteDeps,
  authorId: UserId,
): Promise<LargeAuthorState | undefined> {
  const state = await findLargeAuthor(tx, authorId);
  if (state !== undefined || (await countFollowers(tx, authorId)) <= LARGE_AUTHOR_FOLLOWERS) return state;
  if (await insertLargeAuthor(tx, authorId)) {
    await queue.enqueue(tx, { kind: 'grow-author', payload: { authorId: String(authorId) } });
  }
  return 'growing';
}

async function countFollowers(tx: Tx, userId: UserId): Promise<number> {
  return (await findUserCounts(tx, [userId])).get(userId)?.followers ?? 0;
}
