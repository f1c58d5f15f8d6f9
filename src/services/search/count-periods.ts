/** The lengths of a period of counts (docs/api/search.md#counts). */
export const GRANULARITIES = ['minute', 'hour', 'day'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

const MINUTE_MS = 60_000;
const PERIOD_MS: Readonly<Record<Granularity, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

/**
 * A page of counts covers this many calendar days; the first and the last may be partial (docs/api/search.md#counts).
 */
const PAGE_DAYS = 31;

/** A time range in milliseconds; the end is exclusive. */
export interface Period {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/**
 * Returns the start of each period and the end of the last one. Periods start at whole minutes, hours or days in UTC,
 * except at the bounds of the span (docs/api/search.md#counts).
 */
export function edgesOf({ fromMs, beforeMs }: Period, granularity: Granularity): number[] {
  const lengthMs = PERIOD_MS[granularity];
  const edges = [fromMs];
  for (let edgeMs = startOf(fromMs, lengthMs) + lengthMs; edgeMs < beforeMs; edgeMs += lengthMs) {
    edges.push(edgeMs);
  }
  return [...edges, beforeMs];
}

/** Returns the newest part of a span that fits on one page. */
export function lastPageOf({ fromMs, beforeMs }: Period): Period {
  const earliestMs = startOfDay(beforeMs - 1) - (PAGE_DAYS - 1) * PERIOD_MS.day;
  return { fromMs: Math.max(fromMs, earliestMs), beforeMs };
}

/** Returns the start of the day in UTC. */
export function startOfDay(timeMs: number): number {
  return startOf(timeMs, PERIOD_MS.day);
}

function startOf(timeMs: number, lengthMs: number): number {
  return Math.floor(timeMs / lengthMs) * lengthMs;
}
