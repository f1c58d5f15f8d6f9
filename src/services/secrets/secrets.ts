import { hash as digest, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../core/ids.js';

/** The base-62 alphabet. Bytes of 248 and above are discarded to avoid modulo bias. */
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const UNBIASED_BYTES = 248;

/** The prefix of every app-only bearer token of X. */
export const BEARER_PREFIX = 'A'.repeat(21);

/** Returns random letters and digits; each character has 5.95 bits of entropy. */
export function randomAlphanumeric(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += ALPHANUMERIC.charAt(byte % 62);
    }
  }
  return text;
}

/** Never starts with a hyphen: commands would read such a credential as an option. */
function randomBase64Url(bytes: number): string {
  const text = randomBytes(bytes).toString('base64url');
  return text.startsWith('-') ? randomBase64Url(bytes) : text;
}

/** Generates credentials in the formats of X, for clients that check the format. */
export const generate = {
  apiKey: () => randomAlphanumeric(25),
  apiSecret: () => randomAlphanumeric(50),
  clientId: () => randomBase64Url(25),
  clientSecret: () => randomBase64Url(37),
  oauth2Token: () => randomBase64Url(66),
  /** Starts with the user's id, which clients parse (docs/api/authentication.md#three-legged-flow). */
  oauth1Token: (userId: UserId) => `${userId}-${randomAlphanumeric(40)}`,
  oauth1Secret: () => randomAlphanumeric(45),
  authorizationCode: () => randomBase64Url(66),
  requestToken: () => randomAlphanumeric(27),
  verifier: () => randomAlphanumeric(32),
  /** Typed by the user into the client (docs/api/authentication.md#three-legged-flow). */
  pin: () => String(randomInt(10_000_000)).padStart(7, '0'),
  /** 256 bits. */
  sessionToken: () => randomBase64Url(32),
} as const;

/** Returns the SHA-256 hash of a high-entropy token in base64url; it is stored instead of the token (SECURITY.md). */
export function hashToken(token: string): string {
  return digest('sha256', token, 'base64url');
}

/** Reports whether two texts are equal, in a time that depends only on `expected`. */
export function equalsInConstantTime(given: string, expected: string): boolean {
  const expectedBytes = Buffer.from(expected);
  const givenBytes = Buffer.alloc(expectedBytes.length);
  givenBytes.write(given);
  const sameBytes = timingSafeEqual(givenBytes, expectedBytes);
  return sameBytes && given.length === expected.length;
}

/** OWASP's minimum cost for argon2id, the library's default algorithm. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Returns an argon2id hash in PHC format, computed in a worker thread (SECURITY.md). */
export async function hashPassword(password: string): Promise<string> {
  return (await loadArgon2()).hash(password, ARGON2_COST);
}

/** Reports whether the password matches the hash; computed in a worker thread. */
export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return (await loadArgon2()).verify(passwordHash, password);
}

/** Loads the library on demand: it is the slowest module to load, and most processes never need it. */
function loadArgon2() {
  return import('@node-rs/argon2');
}
