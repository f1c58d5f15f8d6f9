import type { Period } from './count-periods.js';

/** The units of calendar periods (docs/api/pipit.md#histogram). */
export const CALENDAR_UNITS = ['hour', 'day', 'month', 'year'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** The number of members of a date (year, month, day, hour) that name a period of the unit. */
const PRECISION: Readonly<Record<CalendarUnit, number>> = { year: 1, month: 2, day: 3, hour: 4 };

/**
 * Returns the start of each calendar period of the time in UTC, and the end of the last one. The first and the last
 * period end at the bounds of the time.
 */
export function calendarEdges({ fromMs, beforeMs }: Period, unit: CalendarUnit): number[] {
  const edges = [fromMs];
  for (let at = nextStart(fromMs, unit); at < beforeMs; at = nextStart(at, unit)) edges.push(at);
  return [...edges, beforeMs];
}

/** Returns the start of the period after the one that contains the time. */
function nextStart(timeMs: number, unit: CalendarUnit): number {
  const date = new Date(timeMs);
  const members = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()];
  const precision = PRECISION[unit];
  const [year = 0, month = 0, day = 1, hour = 0] = members
    .slice(0, precision)
    .map((member, at) => (at === precision - 1 ? member + 1 : member));
  return Date.UTC(year, month, day, hour);
}
