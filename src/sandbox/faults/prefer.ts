import type { Effect } from './effect.js';

/** The fault that one request asks for in its `Prefer` header. */
export interface Preferred {
  readonly effect: Effect;
  /** The value of `preference-applied`. */
  readonly applied: string;
}

const MAX_PREFERENCES = 20;
const MAX_WAIT_SECONDS = 600;

/**
 * Reads `code` and `wait` of a `Prefer` header, such as `code=503, wait=2` (RFC 7240 2). Ignores others and values out of
 * range, as the RFC demands; undefined if nothing is left.
 */
export function readPrefer(header: string | readonly string[] | undefined): Preferred | undefined {
  const effect: { status?: number; delay?: { fixed: number } } = {};
  const applied: string[] = [];
  const preferences = String(header ?? '').match(PREFERENCE) ?? [];
  for (const preference of preferences.slice(0, MAX_PREFERENCES)) {
    const [name = '', value = ''] = preference.split(';', 1).join('').split('=').map(trimmed);
    const number = /^\d{1,4}$/.test(value) ? Number(value) : -1;
    // The first of several equal preferences counts.
    if (name === 'code' && effect.status === undefined && number >= 400 && number <= 599)
      effect.status = number;
    else if (name === 'wait' && !effect.delay && number >= 0 && number <= MAX_WAIT_SECONDS) {
      effect.delay = { fixed: number * 1_000 };
    } else continue;
    applied.push(`${name}=${number}`);
  }
  return applied.length === 0 ? undefined : { effect, applied: applied.join(', ') };
}

/** A preference up to the next comma outside quotation marks. */
const PREFERENCE = /(?:"[^"]*"?|[^",])+/g;

function trimmed(text: string): string {
  return text.trim().toLowerCase().replaceAll('"', '');
}
