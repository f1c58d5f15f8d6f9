import { hash as digest, randomBytes, randomInt } from 'node:crypto';
import type { UserId } from '../../core/ids.js';

/** Alphabet of a base-62 text; bytes of 248 and more are thrown away so that every character is as likely. */
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const UNBIASED_BYTES = 248;

/** The first bytes of every app-only bearer token of the original. */
export const BEARER_PREFIX = 'A'.repeat(21);

/** A random text of letters and digits; each character carries 5.95 bits. */
export function randomAlphanumeric(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += ALPHANUMERIC.charAt(byte % 62);
    }
  }
  return text;
}

function randomBase64Url(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Credentials in the formats of the original, so that clients that look at them are content. */
export const generate = {
  apiKey: () => randomAlphanumeric(25),
  apiSecret: () => randomAlphanumeric(50),
  clientId: () => randomBase64Url(25),
  clientSecret: () => randomBase64Url(37),
  oauth2Token: () => randomBase64Url(66),
  /** Begins with the user's id, which clients read from it (docs/api/authentication.md#three-legged-flow). */
  oauth1Token: (userId: UserId) => `${userId}-${randomAlphanumeric(40)}`,
  oauth1Secret: () => randomAlphanumeric(45),
  authorizationCode: () => randomBase64Url(66),
  requestToken: () => randomAlphanumeric(27),
  verifier: () => randomAlphanumeric(32),
  /** What a user types over (docs/api/authentication.md#three-legged-flow). */
  pin: () => String(randomInt(10_000_000)).padStart(7, '0'),
  /** 256 bits. */
  sessionToken: () => randomBase64Url(32),
} as const;

/** SHA-256 of a token of high entropy, in base64url: what is stored and looked up in its place (SECURITY.md). */
export function hashToken(token: string): string {
  return digest('sha256', token, 'base64url');
}

/** OWASP's minimum for argon2id, which is the library's default algorithm. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** An argon2id hash in PHC form, computed on a thread of its own (SECURITY.md). */
export async function hashPassword(password: string): Promise<string> {
  return (await loadArgon2()).hash(password, ARGON2_COST);
}

/** True when `password` is the one that `passwordHash` was made of; computed on a thread of its own. */
export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return (await loadArgon2()).verify(passwordHash, password);
}

/** Most processes never see a password, and loading the library takes longer than any other module of the start. */
function loadArgon2() {
  return import('@node-rs/argon2');
}
