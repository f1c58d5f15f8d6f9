import { MAX_ID, type PostId, type UserId } from '../../core/ids.js';
import { firstIdAt } from '../../core/snowflake.js';
import type { Clock } from '../../core/clock.js';
import type { Engine, Tx } from '../../database/engine.js';
import { listFollowedAll } from '../../stores/follows.js';
import { listLargeFollows } from '../../stores/large-authors.js';
import {
  deleteHomeEntries,
  HOME_DEPTH,
  insertAuthorsEntries,
  insertHomeTimeline,
  lockHomeTimeline,
  markHomeBuilt,
} from '../../stores/home-timelines.js';

export interface BuildHomeDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;

/**
 * How far back each step of building looks: most timelines are full after a few, and none reads what busy authors wrote
 * years ago. The last one takes all, also ids that carry no time.
 */
const STEPS_BACK_MS = [6, 48, 16 * 24, 128 * 24, 3 * 365 * 24].map((hours) => hours * HOUR_MS);

/**
 * Makes a cold home timeline warm and fills it from what the followed users posted. Posts made meanwhile are fanned out
 * into it from the first transaction on, and found by the second if they were made before that.
 */
export async function buildHomeTimeline({ engine, clock }: BuildHomeDeps, userId: UserId): Promise<void> {
  const nowMs = clock();
  await engine.tx('warm home timeline', (tx) => insertHomeTimeline(tx, userId, nowMs));
  await engine.tx('build home timeline', async (tx) => {
    if (!(await lockHomeTimeline(tx, userId))) return;
    await deleteHomeEntries(tx, userId);
    await fill(tx, userId, nowMs);
    await markHomeBuilt(tx, userId);
  });
}

async function fill(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  // Large authors are merged on reading.
  const large = new Set(await listLargeFollows(tx, userId));
  const authorIds = (await listFollowedAll(tx, userId)).filter((id) => !large.has(id));
  if (authorIds.length === 0) return;
  let room = HOME_DEPTH;
  let upTo = MAX_ID as PostId;
  for (const above of [...STEPS_BACK_MS.map((back) => firstIdAt(nowMs - back)), -1n]) {
    room -= await insertAuthorsEntries(tx, userId, authorIds, { above: above as PostId, upTo }, room);
    if (room <= 0) return;
    upTo = above as PostId;
  }
}
