import { createHmac } from 'node:crypto';
import { encodePercent } from './percent.js';
import type { Pair } from './protocol.js';

/** The two signing secrets; `tokenSecret` is empty when requesting a request token. */
export interface SigningSecrets {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

/** Returns the HMAC-SHA1 of a base string in base64 (RFC 5849 3.4.2). */
export function signBaseString(text: string, { consumerSecret, tokenSecret }: SigningSecrets): string {
  const key = `${encodePercent(consumerSecret)}&${encodePercent(tokenSecret)}`;
  return createHmac('sha1', key).update(text).digest('base64');
}

/**
 * Returns the signed parameters as one text: encoded, sorted by name and then value, joined (RFC 5849 3.4.1.3.2).
 * Keeps duplicates; the caller must exclude `oauth_signature` and `realm`. `encode` is for imitating other clients.
 */
export function normalizeParameters(pairs: readonly Pair[], encode = encodePercent): string {
  return pairs
    .map(([name, value]): Pair => [encode(name), encode(value)])
    .sort(byNameThenValue)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Returns the text that HMAC-SHA1 signs (RFC 5849 3.4.1). `baseUrl` has no query and is normalized as in 3.4.1.2. */
export function baseString(method: string, baseUrl: string, normalizedParameters: string): string {
  return `${method.toUpperCase()}&${encodePercent(baseUrl)}&${encodePercent(normalizedParameters)}`;
}

/** Compares parameters by their names, and those of one name by their values. */
export function byNameThenValue([nameA, valueA]: Pair, [nameB, valueB]: Pair): number {
  return nameA === nameB ? compare(valueA, valueB) : compare(nameA, nameB);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
