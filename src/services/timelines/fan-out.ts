import type { PostId, UserId } from '../../core/ids.js';
import type { Engine, Queryable } from '../../database/engine.js';
import { insertFollowersEntries } from '../../stores/home-timelines.js';
import {
  advanceFanOut,
  deleteServedFanOuts,
  LAST_FOLLOWER,
  listEveryNthFollower,
  listPendingFanOuts,
  NONE,
  type FanOutStep,
} from '../../stores/pending-fan-outs.js';

/**
 * The number of followers per transaction for a single post. Each follower's timeline is another database page, and
 * requests wait for the transaction.
 */
export const FAN_OUT_FOLLOWERS = 250;

/** The number of entries per transaction when timelines receive several posts: on SQLite all requests wait for it. */
const FAN_OUT_ENTRIES = 1_000;

/** The number of posts that go out together: the page of a timeline is then written once for all of them. */
export const MAX_FAN_OUT_POSTS = 1_024;

/** So many posts of a batch are asked for their followers; the others are assumed to have similar ones. */
const SAMPLE = 32;

/**
 * Plans the rest of a round, or a new one with up to `limit` pending posts after `after`; below the maximum only a new
 * one (docs/design/timelines.md#fan-out). A step is for one transaction. `isFull`: more posts may be pending.
 */
export async function planFanOut(
  db: Queryable,
  after: PostId | undefined = NONE as PostId,
  limit = MAX_FAN_OUT_POSTS,
): Promise<{ readonly steps: readonly FanOutStep[]; readonly isFull: boolean }> {
  const pending = await listPendingFanOuts(db, after, limit);
  const last = pending.at(-1);
  if (!last) return { steps: [], isFull: false };
  const { newest } = last;
  const begun = limit === MAX_FAN_OUT_POSTS ? pending.filter(({ round }) => round === newest.round) : [];
  const isNew = begun.length === 0;
  const posts = isNew ? pending : begun;
  const { round, upTo, servedTo } = isNew
    ? { round: newest.round + 1n, upTo: last.id, servedTo: NONE as UserId }
    : newest;
  const each = Math.ceil(posts.length / SAMPLE);
  const sample = posts.filter((_, index) => index % each === 0).map(({ id }) => id);
  const room = Math.min(FAN_OUT_FOLLOWERS * sample.length, Math.ceil(FAN_OUT_ENTRIES / each));
  const ends = await listEveryNthFollower(db, sample, servedTo, room);
  const steps = [...ends, LAST_FOLLOWER].map((to, index) => ({
    round,
    above: isNew && index === 0 ? after : undefined,
    lowest: posts[0]?.id ?? upTo,
    upTo,
    from: ends[index - 1] ?? servedTo,
    to,
  }));
  return { steps, isFull: pending.length === limit };
}

/**
 * Writes pending posts into the home timelines of the followers of a step. Entries and progress commit together, so a
 * crash loses nothing, and several processes may run the same step: it resolves to false for all but one.
 */
export async function fanOut(engine: Engine, step: FanOutStep): Promise<boolean> {
  const isServed = await engine.tx(
    'fan out posts',
    async (tx) => {
      if (!(await advanceFanOut(tx, step))) return false;
      await insertFollowersEntries(tx, step);
      return true;
    },
    // The row of progress is the lock: a deletion of one of the posts waits, or goes first.
    // Concurrent follows, unfollows and builds see the post themselves (home-writes.ts, build-home.ts).
    'read-committed',
  );
  if (isServed && step.to === LAST_FOLLOWER) {
    // In a transaction of its own: a deletion locks its post before the progress.
    await engine.tx('end a fan-out', (tx) => deleteServedFanOuts(tx, step), 'read-committed');
  }
  return isServed;
}
