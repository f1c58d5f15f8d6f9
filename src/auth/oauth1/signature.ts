import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodePercent } from './percent.js';

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

/** Reports whether two texts are equal, in a time that depends only on `expected`. */
export function equalsInConstantTime(given: string, expected: string): boolean {
  const expectedBytes = Buffer.from(expected);
  const givenBytes = Buffer.alloc(expectedBytes.length);
  givenBytes.write(given);
  const sameBytes = timingSafeEqual(givenBytes, expectedBytes);
  return sameBytes && given.length === expected.length;
}
