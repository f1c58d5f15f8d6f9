import type { PostId, UserId } from '../../core/ids.js';
import type { Engine, Tx } from '../../storage/engine.js';
import { listFollowersAfter } from '../../storage/follows.js';
import { insertFollowersEntries, insertHomeEntries } from '../../storage/home-timelines.js';
import {
  completePendingFanOuts,
  continuePendingFanOut,
  listPendingFanOuts,
  NOBODY_SERVED,
  type PendingFanOut,
} from '../../storage/pending-fan-outs.js';

/** So many followers are served in one transaction: few enough that requests in between hardly wait. */
export const FAN_OUT_CHUNK = 1_000;

/** Most authors have few followers: so many posts share a transaction, its commit and the pages that it writes. */
export const MAX_FAN_OUT_POSTS = 64;

/**
 * Writes the posts that wait longest into the home timelines of their authors' followers (design section 3): up to
 * `limit` of those after the post `after`. What is noted about each and its entries are one transaction, so nothing is
 * lost or done twice whenever a process ends, and any number of them may do this at once. Ask `findPendingFanOut` whether
 * more are left.
 */
export function fanOutPending(engine: Engine, after?: PostId, limit = MAX_FAN_OUT_POSTS): Promise<void> {
  return engine.tx(
    'fan out posts',
    async (tx) => {
      const pending = await listPendingFanOuts(tx, after, limit, FAN_OUT_CHUNK + 1);
      const together = servedTogether(pending);
      if (together.length > 0) return serveTogether(tx, together);
      if (pending[0]) await serve(tx, pending[0]);
    },
    // Whoever changes the row of a post first serves the followers, and deleting the post waits for that or comes first.
    // Who follows, unfollows or begins to read meanwhile finds the post by itself (home-writes.ts, build-home.ts).
    'statements',
  );
}

/** The first of the posts that can be written out to all followers in one transaction: none of them begun. */
function servedTogether(pending: readonly PendingFanOut[]): PendingFanOut[] {
  let room = FAN_OUT_CHUNK;
  const rest = pending.findIndex((post) => {
    if (!post.isMerged) room -= post.followers;
    return post.servedTo !== NOBODY_SERVED || room < 0;
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

/** Serves the next followers of a post, all that are left when these are few. */
async function serve(tx: Tx, post: PendingFanOut): Promise<void> {
  const followers = post.isMerged
    ? []
    : await listFollowersAfter(tx, post.authorId, post.servedTo, FAN_OUT_CHUNK);
  const last = followers.at(-1);
  const isOurs = await note(tx, post, followers.length < FAN_OUT_CHUNK ? undefined : last);
  if (isOurs && last !== undefined) await insertHomeEntries(tx, post, followers);
}

/** Notes how far a post was written out: to `servedTo`, or to everybody; false when it is not ours to write out. */
async function note(tx: Tx, post: PendingFanOut, servedTo: UserId | undefined): Promise<boolean> {
  if (servedTo !== undefined) return continuePendingFanOut(tx, post, servedTo);
  return (await completePendingFanOuts(tx, [post.id], post.servedTo)).length === 1;
}
