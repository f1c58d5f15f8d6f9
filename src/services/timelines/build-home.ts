import { MAX_ID, type UserId } from '../../core/ids.js';
import { firstIdAt } from '../../core/snowflake.js';
import type { Clock } from '../../core/clock.js';
import type { Engine, Tx } from '../../database/engine.js';
import { AlreadyExists } from '../../database/errors.js';
import { listFollowedAll } from '../../stores/follows.js';
import { listLargeFollows } from '../../stores/large-authors.js';
import {
  deleteHomeEntries,
  HOME_DEPTH,
  insertAuthorsEntries,
  insertNewEntries,
  insertHomeTimeline,
  lockHomeTimeline,
  markHomeBuilt,
} from '../../stores/home-timelines.js';

export interface BuildHomeDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

type Insert = typeof insertAuthorsEntries;

const HOUR_MS = 3_600_000;

/**
 * The age of posts that each step reads. Most timelines are full after a few steps. The final step reads all
 * remaining posts, including ids without a timestamp.
 */
const STEPS_BACK_MS = [6, 48, 16 * 24, 128 * 24, 3 * 365 * 24].map((hours) => hours * HOUR_MS);

/**
 * Builds the home timeline of a user from the posts of followed users. The first transaction starts fan-out into the
 * timeline; the second fills it with earlier posts. No post is missed between them.
 *
 * Both are `read-committed`, since many users may read for the first time at once and do not concern each other. The
 * lock of the timeline's row keeps follows and unfollows of the user out; a post that commits meanwhile finds the row
 * and is fanned out.
 */
export async function buildHomeTimeline({ engine, clock }: BuildHomeDeps, userId: UserId): Promise<void> {
  const nowMs = clock();
  await engine.tx('start home timeline', (tx) => insertHomeTimeline(tx, userId, nowMs), 'read-committed');
  const build = (insert: Insert): Promise<void> =>
    engine.tx(
      'build home timeline',
      async (tx) => {
        if (!(await lockHomeTimeline(tx, userId))) return;
        await deleteHomeEntries(tx, userId);
        await fill(tx, userId, nowMs, insert);
        await markHomeBuilt(tx, userId);
      },
      'read-committed',
    );
  await build(insertNewEntries).catch((error: unknown) => {
    // The fan-out has written a new post into the timeline meanwhile.
    if (error instanceof AlreadyExists) return build(insertAuthorsEntries);
    throw error;
  });
}

async function fill(tx: Tx, userId: UserId, nowMs: number, insert: Insert): Promise<void> {
  // Posts of large authors are merged on read.
  const large = new Set(await listLargeFollows(tx, userId));
  const authorIds = (await listFollowedAll(tx, userId)).filter((id) => !large.has(id));
  if (authorIds.length === 0) return;
  let room = HOME_DEPTH;
  let upTo = MAX_ID;
  for (const above of [...STEPS_BACK_MS.map((back) => firstIdAt(nowMs - back)), -1n]) {
    room -= await insert(tx, userId, authorIds, above, upTo, room);
    if (room <= 0) return;
    upTo = above;
  }
}
