import { OAuth1Refused } from './refusal.js';
import { decodePercent } from './percent.js';

/** A parameter's decoded name and value. */
export type Pair = readonly [name: string, value: string];

/** More than any endpoint needs; bounds the work of unauthenticated requests. */
const MAX_PAIRS = 1000;

/**
 * Splits a raw query string or form body into decoded pairs, in order (RFC 5849 3.4.1.3.1). Throws a 401 for broken
 * escapes, invalid UTF-8, and more than 1,000 pairs.
 */
export function parseForm(text: string): Pair[] {
  if (text === '') return [];
  const parts = text.split('&', MAX_PAIRS + 1);
  if (parts.length > MAX_PAIRS)
    throw new OAuth1Refused('parameters', 'the request has too many parameters to sign');
  return parts.filter((part) => part !== '').map(parsePair);
}

function parsePair(part: string): Pair {
  const equals = part.indexOf('=');
  return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
}

function decode(text: string): string {
  const value = decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
  if (value === undefined) throw new OAuth1Refused('parameters', 'a signed parameter has a broken escape');
  return value;
}
