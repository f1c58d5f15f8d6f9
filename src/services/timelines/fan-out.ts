import type { PostId } from '../../core/ids.js';
import type { Engine, Tx } from '../../database/engine.js';
import { listFollowersAfter } from '../../stores/follows.js';
import { insertFollowersEntries, insertHomeEntries } from '../../stores/home-timelines.js';
import {
  completePendingFanOuts,
  continuePendingFanOuts,
  listPendingFanOuts,
  NOBODY_SERVED,
  type PendingFanOut,
} from '../../stores/pending-fan-outs.js';

/** So many followers of an author are served in one transaction: each is a page of the database, and requests wait for all. */
export const FAN_OUT_FOLLOWERS = 250;

/** So many entries are written in one transaction where timelines take several posts: cheaper than pages, not free. */
const FAN_OUT_ENTRIES = 1_000;

/** Most authors have few followers: so many posts share a transaction, its commit and the pages that it writes. */
export const MAX_FAN_OUT_POSTS = 64;

/**
 * Writes the posts that wait longest into the home timelines of their authors' followers (ARCHITECTURE.md): up to
 * `limit` of those after the post `after`. What is noted about each and its entries are one transaction, so nothing is
 * lost or done twice whenever a process ends, and any number of them may do this at once. Resolves to
 * true when more are surely left; else ask `findPendingFanOut`.
 */
export function fanOutPending(engine: Engine, after?: PostId, limit = MAX_FAN_OUT_POSTS): Promise<boolean> {
  return engine.tx(
    'fan out posts',
    async (tx) => {
      const pending = await listPendingFanOuts(tx, after, limit);
      const together = servedTogether(pending);
      if (together.length === 0) return serveNext(tx, servedAlike(pending));
      await serveTogether(tx, together);
      return together.length < pending.length;
    },
    // Whoever changes the row of a post first serves the followers, and deleting the post waits for that or comes first.
    // Who follows, unfollows or begins to read meanwhile finds the post by itself (home-writes.ts, build-home.ts).
    'read-committed',
  );
}

/** The first of the posts that can be written out to all followers in one transaction: none of them begun. */
function servedTogether(pending: readonly PendingFanOut[]): PendingFanOut[] {
  let room = FAN_OUT_ENTRIES;
  const rest = pending.findIndex(({ isMerged, followers, servedTo }) => {
    if (!isMerged) room -= followers;
    return servedTo !== NOBODY_SERVED || room < 0 || (!isMerged && followers > FAN_OUT_FOLLOWERS);
  });
  return rest < 0 ? [...pending] : pending.slice(0, rest);
}

/** A few statements for all of the posts: on a server each one is a way there and back. */
async function serveTogether(tx: Tx, posts: readonly PendingFanOut[]): Promise<void> {
  const ids = posts.map(({ id }) => id);
  const ours = new Set(await completePendingFanOuts(tx, ids, NOBODY_SERVED));
  const written = posts.filter(({ id, isMerged }) => !isMerged && ours.has(id)).map(({ id }) => id);
  if (written.length > 0) await insertFollowersEntries(tx, written);
}

/** The first of the posts and those of its author that as many followers have: pages of timelines are written once for all. */
function servedAlike(pending: readonly PendingFanOut[]): PendingFanOut[] {
  const [first] = pending;
  return pending.filter(
    ({ authorId, servedTo }) => authorId === first?.authorId && servedTo === first.servedTo,
  );
}

/** Serves the next followers of an author, all that are left when these are few; resolves to whether more are left. */
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
