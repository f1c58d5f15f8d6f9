import type { PostId } from '../../core/ids.js';
import type { Engine, Queryable } from '../../database/engine.js';
import { insertFollowersEntries } from '../../stores/home-timelines.js';
import {
  continuePendingFanOuts,
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
 * Plans the fan-out of up to `limit` pending posts after `after` (docs/design/timelines.md#fan-out). Each step is for
 * one transaction: about as many followers as have room in it. Without pending posts there are no steps.
 */
export async function planFanOut(
  db: Queryable,
  after: PostId | undefined = NONE as PostId,
  limit = MAX_FAN_OUT_POSTS,
): Promise<FanOutStep[]> {
  const pending = await listPendingFanOuts(db, after, limit);
  const [first] = pending;
  if (!first) return [];
  const ids = pending.filter(({ servedTo }) => servedTo === first.servedTo).map(({ id }) => id);
  const each = Math.ceil(ids.length / SAMPLE);
  const sample = ids.filter((_, index) => index % each === 0);
  const room = Math.min(FAN_OUT_FOLLOWERS * sample.length, Math.ceil(FAN_OUT_ENTRIES / each));
  const ends = await listEveryNthFollower(db, sample, first.servedTo, room);
  const upTo = ids.at(-1) ?? first.id;
  return [...ends, LAST_FOLLOWER].map((to, index) => ({
    above: after,
    upTo,
    from: ends[index - 1] ?? first.servedTo,
    to,
  }));
}

/**
 * Writes pending posts into the home timelines of the followers of a step. Entries and progress commit together, so a
 * crash loses and repeats nothing, and several processes may run the same step: it resolves to false for all but one.
 */
export function fanOut(engine: Engine, step: FanOutStep): Promise<boolean> {
  return engine.tx(
    'fan out posts',
    async (tx) => {
      if (!(await continuePendingFanOuts(tx, step))) return false;
      await insertFollowersEntries(tx, step);
      if (step.to === LAST_FOLLOWER) await deleteServedFanOuts(tx, step);
      return true;
    },
    // The first transaction to update a post's row serves its followers; a concurrent deletion waits or goes first.
    // Concurrent follows, unfollows and builds see the post themselves (home-writes.ts, build-home.ts).
    'read-committed',
  );
}
