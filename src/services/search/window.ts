import { invalidRequest, type PipitError } from '../../core/errors.js';
import type { PostId } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import { firstIdAt } from '../../core/snowflake.js';
import type { SearchProduct } from '../../query/operator-set.js';

/** The bounds of a search request (docs/api/search.md#window): ids and end are exclusive, the start is inclusive. */
export interface SearchBounds {
  readonly startTimeMs?: number;
  readonly endTimeMs?: number;
  readonly sinceId?: PostId;
  readonly untilId?: PostId;
}

/** The searched posts: ids within `ids` and times from `fromMs` to below `beforeMs`. */
export interface SearchWindow {
  readonly ids: KeyRange;
  /** Absent means no lower bound. */
  readonly fromMs?: number;
  readonly beforeMs: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600 * SECOND_MS;

/** The reach of recent search, and the default length of a full-archive window. */
const RECENT_MS = 7 * DAY_MS;
const DEFAULT_ARCHIVE_MS = 30 * DAY_MS;
/** The default delay of the window's end, and the minimum age of a requested end. */
const DEFAULT_DELAY_MS = 30 * SECOND_MS;
const FRESHEST_MS = 10 * SECOND_MS;
/** The time of the first post on X (docs/api/search.md#window). */
export const FIRST_POST_MS = Date.parse('2006-03-21T00:00:00Z');

/**
 * Returns the window of a search's first page, in whole seconds (docs/api/search.md#window). Throws 'invalid-request'
 * for bounds that are out of range, too recent or reversed.
 */
export function openWindow(product: SearchProduct, bounds: SearchBounds, timeMs: number): SearchWindow {
  const nowMs = startOfSecond(timeMs);
  const earliestMs = product === 'recent' ? nowMs - RECENT_MS : FIRST_POST_MS;
  const { sinceId, endTimeMs } = bounds;
  // `start_time` is ignored when `since_id` is present (docs/api/search.md#window).
  const startTimeMs = sinceId === undefined ? bounds.startTimeMs : undefined;
  requireTime('start_time', startTimeMs, earliestMs, nowMs);
  requireTime('end_time', endTimeMs, earliestMs, nowMs);
  if (startTimeMs !== undefined && endTimeMs !== undefined && endTimeMs <= startTimeMs) {
    throw invalidTime('end_time', endTimeMs, "must be after 'start_time'");
  }
  if (product === 'recent' && sinceId !== undefined) requireRecent(sinceId, earliestMs);
  const beforeMs = endTimeMs ?? nowMs - DEFAULT_DELAY_MS;
  const defaultMs = product === 'recent' ? earliestMs : (endTimeMs ?? nowMs) - DEFAULT_ARCHIVE_MS;
  const sinceMs = product === 'recent' ? earliestMs : undefined;
  const fromMs = sinceId === undefined ? (startTimeMs ?? defaultMs) : sinceMs;
  return { ids: idsOf(bounds), fromMs, beforeMs };
}

/** Returns the times of a window for a cursor. The client sends the other bounds again. */
export function encodeWindow({
  fromMs,
  beforeMs,
}: SearchWindow): readonly [fromMs: bigint, beforeMs: bigint] {
  return [fromMs === undefined ? NO_START : BigInt(fromMs), BigInt(beforeMs)];
}

/** Restores the window of the first page, without checking its times again. */
export function decodeWindow(
  bounds: SearchBounds,
  [fromMs = NO_START, beforeMs = 0n]: readonly bigint[],
): SearchWindow {
  return {
    ids: idsOf(bounds),
    fromMs: fromMs === NO_START ? undefined : Number(fromMs),
    beforeMs: Number(beforeMs),
  };
}

const NO_START = -1n;

/** Returns the start of the second. */
export function startOfSecond(timeMs: number): number {
  return Math.floor(timeMs / SECOND_MS) * SECOND_MS;
}

/** Returns the id range of the window for posts whose ids encode their time. */
export function timedIds({ ids, fromMs, beforeMs }: SearchWindow): KeyRange {
  const above = fromMs === undefined ? ids.above : firstIdAt(Math.ceil(fromMs)) - 1n;
  const upTo = firstIdAt(Math.ceil(beforeMs)) - 1n;
  return { above: above > ids.above ? above : ids.above, upTo: upTo < ids.upTo ? upTo : ids.upTo };
}

function idsOf({ sinceId, untilId }: SearchBounds): KeyRange {
  return {
    above: sinceId ?? EVERY_KEY.above,
    upTo: untilId === undefined ? EVERY_KEY.upTo : untilId - 1n,
  };
}

function requireTime(name: string, timeMs: number | undefined, earliestMs: number, nowMs: number): void {
  if (timeMs === undefined) return;
  if (timeMs < earliestMs) throw invalidTime(name, timeMs, `must be on or after ${toMinute(earliestMs)}`);
  if (timeMs > nowMs - FRESHEST_MS) {
    throw invalidTime(name, timeMs, 'must be a minimum of 10 seconds prior to the request time.');
  }
}

/** Formats the error with X's recorded wording (docs/api/errors.md#validation-messages); times to the minute. */
function invalidTime(name: string, timeMs: number, what: string): PipitError {
  const sent = `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
  return invalidRequest(name, [sent], `Invalid '${name}':'${toMinute(timeMs)}'. '${name}' ${what}`);
}

function requireRecent(sinceId: PostId, earliestMs: number): void {
  const lowest = firstIdAt(earliestMs);
  if (sinceId > lowest) return;
  throw invalidRequest(
    'since_id',
    [String(sinceId)],
    `'since_id' must be a tweet id created after ${toMinute(earliestMs)}. ` +
      `Please use a 'since_id' that is larger than ${lowest}`,
  );
}

function toMinute(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
}
