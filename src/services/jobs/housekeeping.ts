import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import type { HousekeepingPayload } from '../../core/jobs.js';
import type { Engine, Tx } from '../../database/engine.js';
import {
  deleteHomeEntriesFrom,
  deleteHomeTimeline,
  HOME_DEPTH,
  listHomeTimelines,
} from '../../stores/home-timelines.js';
import { homeEntries } from '../../stores/timeline-entries.js';
import { deleteExpired, deleteOldTexts, EXPIRABLE, type Expirable } from '../../stores/housekeeping.js';
import type { MediaService } from '../media/media.js';
import type { JobQueue } from '../../stores/job-queue.js';
import type { JobHandler } from './handler.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a duplicate is measured against: a day (docs/api/posts.md#length). */
const TEXTS_KEPT_MS = DAY_MS;

/** A token or code that comes again when it is dead tells that it was stolen, as long as it is known. */
const DEAD_KEPT_MS = 30 * DAY_MS;

/** Anybody with an app can make these, thousands an hour, and nothing follows from one that comes again. */
const NOT_KEPT: ReadonlySet<Expirable> = new Set(['request-tokens']);

const CHUNK = 1_000;

/** Each may have thousands of entries to forget. */
const TIMELINE_CHUNK = 20;

/** Who has not looked for so long waits a moment at the next look. */
const UNREAD_KEPT_MS = 14 * DAY_MS;

export interface HousekeepingDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly queue: JobQueue;
  /** Whoever keeps media. */
  readonly media?: Pick<MediaService, 'deleteUnused'>;
}

/** Makes sure that the clean-up will run: now, or when its hour comes. */
export async function enqueueHousekeeping(
  { queue }: Pick<HousekeepingDeps, 'queue'>,
  tx: Tx,
  runAtMs?: number,
) {
  await queue.enqueue(tx, { kind: 'housekeeping', payload: {}, uniqueKey: 'housekeeping', runAtMs });
}

/** Removes what nobody asks for any more, a chunk of rows in each transaction, every hour. */
export function createHousekeeping(deps: HousekeepingDeps): JobHandler<HousekeepingPayload> {
  return async (run) => {
    // Files are no part of a transaction: what is repeated here finds nothing left to do.
    if (run.payload.step === 'media') await deps.media?.deleteUnused(run.signal);
    await deps.engine.tx('housekeeping', async (tx) => {
      // The next hour's job is ordered first, so that a chain of failures does not end the clean-up for good.
      if (run.payload.step === undefined) await enqueueHousekeeping(deps, tx, deps.clock() + HOUR_MS);
      const next = await nextStep(deps, tx, run.payload);
      await (next ? run.continueWith(tx, next) : run.completeIn(tx));
    });
  };
}

/** Cleans a chunk of rows, and leaves the files for the end. Resolves to what comes next; undefined at the end. */
async function nextStep(
  { media, clock }: HousekeepingDeps,
  tx: Tx,
  payload: HousekeepingPayload,
): Promise<HousekeepingPayload | undefined> {
  if (payload.step === 'media') return undefined;
  return (await cleanChunk(tx, payload, clock())) ?? (media && { step: 'media' });
}

/** Resolves to what comes next; undefined at the end of the rows. */
async function cleanChunk(
  tx: Tx,
  { step = 'recent-texts', after }: HousekeepingPayload,
  nowMs: number,
): Promise<HousekeepingPayload | undefined> {
  if (step === 'home-timelines') return tidyHomeTimelines(tx, after?.[0], nowMs);
  const kind = EXPIRABLE.find((each) => each === step);
  if (kind) {
    const last = await deleteExpired(tx, kind, after?.[0], CHUNK, nowMs - keptMs(kind));
    return last === undefined ? { step: nextKind(kind) ?? 'home-timelines' } : { step, after: [last] };
  }
  const [userId, hash] = after ?? [];
  const from =
    userId === undefined || hash === undefined ? undefined : { userId: BigInt(userId) as UserId, hash };
  const last = await deleteOldTexts(tx, from, CHUNK, nowMs - TEXTS_KEPT_MS);
  return last ? { step, after: [String(last.userId), last.hash] } : { step: 'bearer-tokens' };
}

function keptMs(kind: Expirable): number {
  return NOT_KEPT.has(kind) ? 0 : DEAD_KEPT_MS;
}

function nextKind(kind: Expirable): Expirable | undefined {
  return EXPIRABLE[EXPIRABLE.indexOf(kind) + 1];
}

/** Makes cold what nobody reads, and forgets what lies too deep in the rest. */
async function tidyHomeTimelines(
  tx: Tx,
  after: string | undefined,
  nowMs: number,
): Promise<HousekeepingPayload | undefined> {
  const from = after === undefined ? undefined : (BigInt(after) as UserId);
  const timelines = await listHomeTimelines(tx, from, TIMELINE_CHUNK);
  for (const { userId, readAtMs } of timelines) {
    if (readAtMs < nowMs - UNREAD_KEPT_MS) {
      await deleteHomeTimeline(tx, userId);
    } else {
      const tooDeep = await homeEntries.nthNewest(tx, userId, HOME_DEPTH + 1);
      if (tooDeep !== undefined) await deleteHomeEntriesFrom(tx, userId, tooDeep);
    }
  }
  const last = timelines.at(-1);
  return last && timelines.length === TIMELINE_CHUNK
    ? { step: 'home-timelines', after: [String(last.userId)] }
    : undefined;
}
