import type { UserId } from '../../core/ids.js';
import type { HousekeepingPayload } from '../../core/jobs.js';
import type { Tx } from '../../database/engine.js';
import { findPositionAt, forgetNewRows, pruneFeed } from '../../database/feed-table.js';
import {
  deleteHomeEntriesFrom,
  deleteHomeTimeline,
  HOME_DEPTH,
  listHomeTimelines,
} from '../../stores/home-timelines.js';
import { homeEntries } from '../../stores/timeline-entries.js';
import { deleteExpired, deleteOldTexts, EXPIRABLE, type Expirable } from '../../stores/housekeeping.js';
import { pruneDeliveries } from '../../stores/webhook-deliveries.js';
import type { MediaService } from '../media/media.js';
import type { JobHandler } from './handler.js';
import { countDays } from '../overview/count-days.js';
import type { ServiceDeps } from '../service-deps.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The window of the duplicate check: one day (docs/api/posts.md#length). */
const TEXTS_KEPT_MS = DAY_MS;

/** Expired tokens and codes are kept for this time, because the reuse of one reveals theft. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;

/** Any app can create thousands of these per hour, and reuse has no consequence. */
const NOT_KEPT: ReadonlySet<Expirable> = new Set(['request-tokens']);

/** How long deliveries to webhooks can be repeated (docs/api/webhooks.md#replay). */
const DELIVERIES_KEPT_MS = DAY_MS;
/** Apps list the connections that have ended for this time (docs/api/streams.md#open-connections). */
const CONNECTIONS_KEPT_MS = 7 * DAY_MS;

const CHUNK = 1_000;

/** A busy server has millions of entries to delete in an hour, all beside each other. */
const FEED_CHUNK = 5_000;

/** How long entries of the feed hold new rows; caches of other processes read them within seconds. */
const FEED_ROWS_KEPT_MS = HOUR_MS;

/** Each may have thousands of entries to delete. */
const TIMELINE_CHUNK = 20;

/** Home timelines unread for this long are deleted; the next read rebuilds them. */
const UNREAD_KEPT_MS = 14 * DAY_MS;

interface HousekeepingDeps extends Omit<ServiceDeps, 'ids'> {
  /** How long the feed keeps entries. */
  readonly feedKeptMs: number;
  /** Absent when this server stores no media. */
  readonly media?: Pick<MediaService, 'deleteUnused'>;
}

/** Schedules the housekeeping job unless it is already scheduled. */
export async function enqueueHousekeeping(
  { queue }: Pick<HousekeepingDeps, 'queue'>,
  tx: Tx,
  runAtMs?: number,
) {
  await queue.enqueue(tx, { kind: 'housekeeping', payload: {}, uniqueKey: 'housekeeping', runAtMs });
}

/** Creates the handler that deletes expired data every hour, one chunk of rows per transaction. */
export function createHousekeeping(deps: HousekeepingDeps): JobHandler<HousekeepingPayload> {
  return async (run) => {
    // Files are not transactional. The deletion is idempotent.
    if (run.payload.step === 'media') await deps.media?.deleteUnused(run.signal);
    if (run.payload.step === 'figures') await countDays(deps, run.signal);
    await deps.engine.tx('housekeeping', async (tx) => {
      // Schedules the next run first, so that repeated failures do not stop housekeeping for good.
      if (run.payload.step === undefined) await enqueueHousekeeping(deps, tx, deps.clock() + HOUR_MS);
      const next = await nextStep(deps, tx, run.payload);
      await (next ? run.continueWith(tx, next) : run.completeIn(tx));
    });
  };
}

/** Cleans one chunk of rows; media files and the figures of days come last. Resolves to the next step, or undefined at the end. */
async function nextStep(
  { media, clock, feedKeptMs }: HousekeepingDeps,
  tx: Tx,
  payload: HousekeepingPayload,
): Promise<HousekeepingPayload | undefined> {
  if (payload.step === 'figures') return undefined;
  if (payload.step === 'media') return { step: 'figures' };
  return (await cleanChunk(tx, payload, clock(), feedKeptMs)) ?? { step: media ? 'media' : 'figures' };
}

/** Cleans one chunk of rows. Resolves to the next step, or undefined after the last row. */
async function cleanChunk(
  tx: Tx,
  { step = 'recent-texts', after }: HousekeepingPayload,
  nowMs: number,
  feedKeptMs: number,
): Promise<HousekeepingPayload | undefined> {
  if (step === 'home-timelines') return trimHomeTimelines(tx, after?.[0], nowMs);
  if (step === 'feed') {
    const from = BigInt(after?.[0] ?? 0);
    const last = await pruneFeed(tx, { from, limit: FEED_CHUNK, beforeMs: nowMs - feedKeptMs });
    return last === undefined ? { step: 'feed-rows' } : { step, after: [String(last)] };
  }
  if (step === 'feed-rows') {
    const beforeMs = nowMs - FEED_ROWS_KEPT_MS;
    // The last run has handled older ones.
    const from = after ? BigInt(after[0] ?? 0) : await findPositionAt(tx, beforeMs - 2 * HOUR_MS);
    const next = await forgetNewRows(tx, { from, limit: FEED_CHUNK, beforeMs });
    return next === undefined ? { step: 'webhook-deliveries' } : { step, after: [String(next)] };
  }
  if (step === 'webhook-deliveries') {
    const deleted = await pruneDeliveries(tx, nowMs - DELIVERIES_KEPT_MS, CHUNK);
    return { step: deleted === CHUNK ? step : 'home-timelines' };
  }
  const kind = EXPIRABLE.find((each) => each === step);
  if (kind) {
    const last = await deleteExpired(tx, kind, after?.[0], CHUNK, nowMs - keptMs(kind));
    return last === undefined ? { step: nextKind(kind) ?? 'feed' } : { step, after: [last] };
  }
  const [userId, hash] = after ?? [];
  const from =
    userId === undefined || hash === undefined ? undefined : { userId: BigInt(userId) as UserId, hash };
  const last = await deleteOldTexts(tx, from, CHUNK, nowMs - TEXTS_KEPT_MS);
  return last ? { step, after: [String(last.userId), last.hash] } : { step: 'bearer-tokens' };
}

function keptMs(kind: Expirable): number {
  if (kind === 'stream-connections') return CONNECTIONS_KEPT_MS;
  return NOT_KEPT.has(kind) ? 0 : EXPIRED_KEPT_MS;
}

function nextKind(kind: Expirable): Expirable | undefined {
  return EXPIRABLE[EXPIRABLE.indexOf(kind) + 1];
}

/** Deletes unread home timelines and trims the others to HOME_DEPTH. */
async function trimHomeTimelines(
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
