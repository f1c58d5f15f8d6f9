import { date } from '../core/json-schema.js';
import { parseInstant } from '../core/timestamp.js';
import { leaf, type Validator } from '../core/validators.js';

/** Reads a time of RFC 3339 in a body, in milliseconds since the epoch. */
export function timeField(description: string): Validator<number> {
  return leaf({ ...date, description }, { kind: 'time' }, (value) =>
    typeof value === 'string' ? parseInstant(value) : undefined,
  );
}

/** Returns a time as answers show it. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
