import { parseTimestamp } from '../core/timestamp.js';
import * as v from '../core/validators.js';

/** A time of a world file: fixed, or relative to the moment of loading (docs/world-files.md#times). */
export interface WorldTime {
  readonly isRelative: boolean;
  /** Returns milliseconds since the Unix epoch, for a file that is loaded at `nowMs`. */
  at(nowMs: number): number;
}

const TIME_SCHEMA = {
  type: 'string',
  pattern: '^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z|now([+-]\\d{1,6}[smhd])?)$',
  description: 'a time as 2022-02-01T00:00:00Z, or relative to loading as now-90m or now+2d',
};

const RELATIVE = /^now(?:([+-])(\d{1,6})([smhd]))?$/;

const SECOND_MS = 1_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3_600 * SECOND_MS,
  d: 24 * 3_600 * SECOND_MS,
};

/** Reads a time. */
export const worldTime: v.Validator<WorldTime> = v.leaf(TIME_SCHEMA, { kind: 'time' }, (value) =>
  typeof value === 'string' ? parseWorldTime(value) : undefined,
);

function parseWorldTime(text: string): WorldTime | undefined {
  const fixedMs = parseTimestamp(text);
  if (fixedMs !== undefined) return { isRelative: false, at: () => fixedMs };
  const [matched, sign, digits = '0', unit = 's'] = RELATIVE.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const distanceMs = Number(digits) * (UNITS_MS[unit] ?? 0) * (sign === '-' ? -1 : 1);
  return { isRelative: true, at: (nowMs) => nowMs + distanceMs };
}
