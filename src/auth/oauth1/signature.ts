import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodePercent } from './percent.js';

/** The two secrets that sign; a request for a request token has an empty `tokenSecret`. */
export interface SigningSecrets {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

/** HMAC-SHA1 of a base string, in base64 (RFC 5849 3.4.2). */
export function signBaseString(text: string, { consumerSecret, tokenSecret }: SigningSecrets): string {
  const key = `${encodePercent(consumerSecret)}&${encodePercent(tokenSecret)}`;
  return createHmac('sha1', key).update(text).digest('base64');
}

/** True for equal texts, in a time that depends on `expected` alone, whatever the length of `given`. */
export function equalsInConstantTime(given: string, expected: string): boolean {
  const expectedBytes = Buffer.from(expected);
  const givenBytes = Buffer.alloc(expectedBytes.length);
  givenBytes.write(given);
  const sameBytes = timingSafeEqual(givenBytes, expectedBytes);
  return sameBytes && given.length === expected.length;
}
