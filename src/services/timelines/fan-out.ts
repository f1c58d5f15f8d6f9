import type { UserId } from '../../core/ids.js';
import type { Engine, Tx } from '../../storage/engine.js';
import { listFollowersAfter } from '../../storage/follows.js';
import { insertHomeEntries } from '../../storage/home-timelines.js';
import { readyLargeAuthorsAmong } from '../../storage/large-authors.js';
import {
  completePendingFanOut,
  continuePendingFanOut,
  listPendingFanOuts,
  type PendingFanOut,
} from '../../storage/pending-fan-outs.js';

/** So many followers are served in one transaction: few enough that requests in between hardly wait. */
export const FAN_OUT_CHUNK = 1_000;

/** Most authors have few followers: so many posts share a transaction, its commit and the pages that it writes. */
const MAX_POSTS = 64;

/**
 * Writes the posts that wait longest into the home timelines of their authors' followers (design section 3). What
 * is noted about each and its entries are one transaction, so nothing is lost or done twice whenever a process ends, and
 * any number of them may do this at once. Ask `hasPendingFanOut` whether more are left.
 */
export function fanOutPending(engine: Engine): Promise<void> {
  return engine.tx(
    'fan out posts',
    async (tx) => {
      const pending = await listPendingFanOuts(tx, MAX_POSTS);
      const merged = await readyLargeAuthorsAmong(tx, [...new Set(pending.map((post) => post.authorId))]);
      let room = FAN_OUT_CHUNK;
      for (const post of pending) {
        if (room <= 0) return;
        room -= await serve(tx, post, merged.has(post.authorId) ? 0 : room);
      }
    },
    // Whoever changes the row of a post first serves the followers, and deleting the post waits for that or comes first.
    // Who follows, unfollows or begins to read meanwhile finds the post by itself (home-writes.ts, build-home.ts).
    'statements',
  );
}

/** Serves the next `room` followers of a post, all that are left when there are fewer; resolves to how many these were. */
async function serve(tx: Tx, post: PendingFanOut, room: number): Promise<number> {
  const followers = room === 0 ? [] : await listFollowersAfter(tx, post.authorId, post.servedTo, room);
  const last = followers.at(-1);
  const isOurs = await note(tx, post, followers.length < room ? undefined : last);
  if (isOurs && last !== undefined) await insertHomeEntries(tx, post, followers);
  return followers.length;
}

/** Notes how far a post was written out: to `servedTo`, or to everybody. */
function note(tx: Tx, post: PendingFanOut, servedTo: UserId | undefined): Promise<boolean> {
  return servedTo === undefined ? completePendingFanOut(tx, post) : continuePendingFanOut(tx, post, servedTo);
}
