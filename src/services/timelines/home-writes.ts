import { MAX_ID, type PostId, type UserId } from '../../core/ids.js';
import type { Signal } from '../../core/signal.js';
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
 * What happens to home timelines in the transactions of others: posting orders the fan-out, following and unfollowing
 * move an author's posts at once (ARCHITECTURE.md).
 */
export interface HomeWriteDeps {
  readonly queue: JobQueue;
}

/** Who has more followers is not fanned out but merged on reading. */
export const LARGE_AUTHOR_FOLLOWERS = 5_000;

/** A timeline of so many entries may have been cut off at its depth, though deleted posts made it shorter since. */
const MAYBE_CUT = HOME_DEPTH / 2;

/** The lower bound of every id. */
const BELOW_ALL = -1n as PostId;

/**
 * Orders that a new post is written into its author's followers' timelines, and tells it. Call it after the author's post
 * was counted: the row of counts makes posting and following wait for each other, so that one of them sees the other's
 * work.
 */
export async function orderFanOut(tx: Tx, fanOutOrdered: Signal, post: Post): Promise<void> {
  if ((await countFollowers(tx, post.authorId)) === 0) return;
  await insertPendingFanOut(tx, post);
  tx.afterCommit(fanOutOrdered.tell);
}

/** Orders that a deleted post is taken out of them; until then reading leaves it out. */
export async function orderRetraction(tx: Tx, { queue }: HomeWriteDeps, post: Post): Promise<void> {
  if ((await countFollowers(tx, post.authorId)) === 0) return;
  const payload = { postId: String(post.id), authorId: String(post.authorId) };
  await queue.enqueue(tx, { kind: 'retract-post', payload });
}

/** Brings the author's posts into a warm timeline. Call it after the follow was stored and counted. */
export async function addFollowedAuthor(
  tx: Tx,
  deps: HomeWriteDeps,
  userId: UserId,
  authorId: UserId,
): Promise<void> {
  const state = await largeAuthorState(tx, deps, authorId);
  if (state !== undefined) await insertLargeFollows(tx, authorId, [userId]);
  if (state === 'ready' || !(await lockHomeTimeline(tx, userId))) return;
  await insertAuthorsEntries(
    tx,
    userId,
    [authorId],
    { above: BELOW_ALL, upTo: MAX_ID as PostId },
    HOME_DEPTH,
  );
}

/**
 * Takes the author's posts out of the user's timeline. What others posted earlier may be wanted in their place, and is
 * found when a long timeline is built anew. Call it after the follow was removed.
 */
export async function removeFollowedAuthor(tx: Tx, userId: UserId, authorId: UserId): Promise<void> {
  await deleteLargeFollow(tx, userId, authorId);
  if (!(await lockHomeTimeline(tx, userId))) return;
  const isLong = (await homeEntries.nthNewest(tx, userId, MAYBE_CUT)) !== undefined;
  await (isLong ? deleteHomeTimeline(tx, userId) : deleteAuthorEntries(tx, userId, authorId));
}

/** Makes an author large who has become it by the follow at hand. */
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
