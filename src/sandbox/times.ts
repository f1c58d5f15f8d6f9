import { invalidRequest } from '../core/errors.js';
import { date } from '../core/json-schema.js';
import { parseInstant } from '../core/timestamp.js';
import { leaf, type Validator } from '../core/validators.js';

/** Ids have 41 bits for the time (core/snowflake.ts), which end in July 2080. */
const MAX_TIME_MS = Date.UTC(2080, 0, 1);
/** Ids have no time before November 4, 2010. */
const MIN_TIME_MS = Date.UTC(2010, 10, 5);

/** Throws a 400 for a time that no clock of a sandbox may have. */
export function requireTime(timeMs: number): void {
  if (timeMs >= MIN_TIME_MS && timeMs <= MAX_TIME_MS) return;
  const message = `The clock is between ${timeText(MIN_TIME_MS)} and ${timeText(MAX_TIME_MS)}`;
  throw invalidRequest('time', [timeText(timeMs)], message);
}

/** Later times have no date in JavaScript. */
const MAX_DATE_MS = 8.64e15;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DURATION = /^(?:[0-9]{1,12}(?:ms|s|m|h|d))+$/;

/** Reads a duration in a body, such as `90s` or `1d12h`, in milliseconds. */
export function durationField(description: string): Validator<number> {
  const schema = { type: 'string', pattern: DURATION.source, example: '2h', description };
  const rule = 'a duration such as 90s, 2h or 1d12h';
  return leaf(schema, { kind: 'pattern', pattern: DURATION, description: rule }, (value) => {
    if (typeof value !== 'string' || !DURATION.test(value)) return undefined;
    const parts = value.matchAll(/([0-9]{1,12})(ms|s|m|h|d)/g);
    return [...parts].reduce((sum, [, digits, unit = '']) => sum + Number(digits) * (UNIT_MS[unit] ?? 0), 0);
  });
}

/** Reads a time of RFC 3339 in a body, in milliseconds since the epoch. */
export function timeField(description: string): Validator<number> {
  return leaf({ ...date, description }, { kind: 'time' }, (value) =>
    typeof value === 'string' ? parseInstant(value) : undefined,
  );
}

/** Returns a time as answers show it; the last one for later times. */
export function timeText(timeMs: number): string {
  return new Date(Math.min(timeMs, MAX_DATE_MS)).toISOString();
}
