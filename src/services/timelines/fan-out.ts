import type { PostId } from '../../core/ids.js';
import type { Engine, Tx } from '../../database/engine.js';
import { listFollowersAfter } from '../../stores/follows.js';
import { insertFollowersEntries, insertHomeEntries } from '../../stores/home-timelines.js';
import {
  completePendingFanOuts,
  continuePendingFanOuts,
  listPendingFanOuts,
  NONE_SERVED,
  type PendingFanOut,
} from '../../stores/pending-fan-outs.js';

/**
 * The number of followers per transaction. Each follower's timeline is another database page, and requests wait for
 * the transaction.
 */
export const FAN_OUT_FOLLOWERS = 250;

/** The number of entries per transaction when timelines receive several posts. */
const FAN_OUT_ENTRIES = 1_000;

/** The number of posts per transaction. Most authors have few followers, so posts share commits and page writes. */
export const MAX_FAN_OUT_POSTS = 64;

/**
 * Writes the oldest pending posts into the home timelines of their authors' followers
 * (docs/design/timelines.md#fan-out): up to `limit` posts after `after`. Entries and progress commit together, so a
 * crash loses and repeats nothing, and several processes may run this concurrently. Resolves to true when more posts
 * are certainly pending; otherwise ask `findPendingFanOut`.
 */
export function fanOutPending(engine: Engine, after?: PostId, limit = MAX_FAN_OUT_POSTS): Promise<boolean> {
  return engine.tx(
    'fan out posts',
    async (tx) => {
      const pending = await listPendingFanOuts(tx, after, limit);
      const batch = nextBatch(pending);
      if (batch.length === 0) return serveNext(tx, withEqualProgress(pending));
      await serveBatch(tx, batch);
      return batch.length < pending.length;
    },
    // The first transaction to update a post's row serves its followers; a concurrent deletion waits or goes first.
    // Concurrent follows, unfollows and builds see the post themselves (home-writes.ts, build-home.ts).
    'read-committed',
  );
}

/** Returns the leading posts that fit in one transaction and were not started yet. */
function nextBatch(pending: readonly PendingFanOut[]): PendingFanOut[] {
  let room = FAN_OUT_ENTRIES;
  const rest = pending.findIndex(({ isMerged, followers, servedTo }) => {
    if (!isMerged) room -= followers;
    return servedTo !== NONE_SERVED || room < 0 || (!isMerged && followers > FAN_OUT_FOLLOWERS);
  });
  return rest < 0 ? [...pending] : pending.slice(0, rest);
}

/** Serves all posts with a few statements, to save round trips. */
async function serveBatch(tx: Tx, posts: readonly PendingFanOut[]): Promise<void> {
  const ids = posts.map(({ id }) => id);
  const ours = new Set(await completePendingFanOuts(tx, ids, NONE_SERVED));
  const written = posts.filter(({ id, isMerged }) => !isMerged && ours.has(id)).map(({ id }) => id);
  if (written.length > 0) await insertFollowersEntries(tx, written);
}

/** Returns the first post and other posts of its author with equal progress; they share timeline pages. */
function withEqualProgress(pending: readonly PendingFanOut[]): PendingFanOut[] {
  const [first] = pending;
  return pending.filter(
    ({ authorId, servedTo }) => authorId === first?.authorId && servedTo === first.servedTo,
  );
}

/** Serves the next chunk of an author's followers; resolves to whether more followers remain. */
async function serveNext(tx: Tx, posts: readonly PendingFanOut[]): Promise<boolean> {
  const [first] = posts;
  if (!first) return false;
  const limit = Math.min(FAN_OUT_FOLLOWERS, Math.ceil(FAN_OUT_ENTRIES / posts.length));
  const followers = first.isMerged ? [] : await listFollowersAfter(tx, first.authorId, first.servedTo, limit);
  const last = followers.length < limit ? undefined : followers.at(-1);
  const ids = posts.map(({ id }) => id);
  const ours =
    last === undefined
      ? await completePendingFanOuts(tx, ids, first.servedTo)
      : await continuePendingFanOuts(tx, ids, first.servedTo, last);
  if (ours.length > 0 && followers.length > 0) await insertHomeEntries(tx, ours, followers);
  return last !== undefined && ours.length > 0;
}
