/** How long a period of counts is at most (docs/api/search.md#counts). */
export const GRANULARITIES = ['minute', 'hour', 'day'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const MINUTE_MS = 60_000;
const PERIOD_MS: Readonly<Record<Granularity, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

/** A page of counts reaches over so many days, of which the first or the last may be part of one (docs/api/search.md#counts). */
const PAGE_DAYS = 31;

/** From a time on, before another, in milliseconds. */
export interface Period {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/**
 * Where the periods of a span begin, and at last where the span ends: at whole minutes, hours or days of UTC but for the
 * span's own bounds (docs/api/search.md#counts).
 */
export function edgesOf({ fromMs, beforeMs }: Period, granularity: Granularity): number[] {
  const lengthMs = PERIOD_MS[granularity];
  const edges = [fromMs];
  for (let edgeMs = startOf(fromMs, lengthMs) + lengthMs; edgeMs < beforeMs; edgeMs += lengthMs) {
    edges.push(edgeMs);
  }
  return [...edges, beforeMs];
}

/** The newest part of a span that one page shows. */
export function lastPageOf({ fromMs, beforeMs }: Period): Period {
  const earliestMs = startOfDay(beforeMs - 1) - (PAGE_DAYS - 1) * PERIOD_MS.day;
  return { fromMs: Math.max(fromMs, earliestMs), beforeMs };
}

/** Midnight, UTC. */
export function startOfDay(timeMs: number): number {
  return startOf(timeMs, PERIOD_MS.day);
}

/** The beginning of a time's second. */
export function startOfSecond(timeMs: number): number {
  return startOf(timeMs, 1_000);
}

function startOf(timeMs: number, lengthMs: number): number {
  return Math.floor(timeMs / lengthMs) * lengthMs;
}
