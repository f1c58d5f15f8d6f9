import { MAX_ID, type PostId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import { timeOfId } from '../core/snowflake.js';
import type { Backend } from '../server/backend.js';
import type { Pipit } from '../server/start.js';
import { findNextCheckMs } from '../services/webhooks/background-checks.js';
import { findNextJobMs } from '../stores/jobs.js';
import { listNewestPosts } from '../stores/posts.js';
import { findNextLaneMs } from '../stores/webhook-deliveries.js';

/** Does the work that loading worlds has caused. Returns the earliest time for the clock of a reset. */
export async function finishLoading(pipit: Pipit): Promise<number> {
  const { jobs, webhooks, backend } = pipit;
  await jobs.fanOut.runDue();
  await jobs.worker.runDue();
  await webhooks.runDue();
  await doDeferredWork(pipit);
  return earliestStartOf(backend);
}

const AFTER_NEWEST_MS = 1_000;

/** Returns a time after the newest post; 0 if there is none. */
async function earliestStartOf({ engine }: Pick<Backend, 'engine'>): Promise<number> {
  const [newest] = await listNewestPosts(engine, { above: -1n as PostId, upTo: MAX_ID as PostId }, 1);
  const newestMs = newest && timeOfId(newest.id);
  return newestMs === undefined ? 0 : newestMs + AFTER_NEWEST_MS;
}

/** Does the work that requests have caused, except sending to webhooks, whose receivers may send requests meanwhile. */
export async function doCausedWork({ jobs, webhooks }: Pipit): Promise<void> {
  await jobs.fanOut.runDue();
  await jobs.worker.runDue();
  await webhooks.dispatchDue();
}

/** Does the work that usually waits although it is due: it costs less later, and no request sees the difference. */
export async function doDeferredWork({ jobs }: Pipit): Promise<void> {
  await jobs.fanOut.runDue();
  await jobs.indexing.runDue();
}

/** Housekeeping runs each hour. While a clock moves over a year, once a day is enough. */
const HOUSEKEEPING = 'housekeeping' satisfies keyof JobPayloads;
const DAY_MS = 86_400_000;

/** In a longer movement, webhooks are checked once a day: hourly requests would take minutes in ten years. */
const LONG_MS = 30 * DAY_MS;

/** Reports whether a movement of the clock is so long that webhooks are checked once a day in it. */
export function isLongMovement(durationMs: number): boolean {
  return durationMs > LONG_MS;
}

/**
 * Returns when background work is due next after a time, at most a day later: jobs, deliveries to webhooks and, except
 * in a long movement, their checks.
 */
export async function findNextDueMs({ backend }: Pipit, afterMs: number, isLong: boolean): Promise<number> {
  const { engine } = backend;
  const dueMs = await Promise.all([
    findNextJobMs(engine, afterMs, HOUSEKEEPING),
    findNextLaneMs(engine, afterMs),
    isLong ? undefined : findNextCheckMs(engine, afterMs),
  ]);
  return Math.min(...dueMs.filter((each) => each !== undefined), afterMs + DAY_MS);
}
