import type { Engine } from './engine.js';

/** The memory for all caches of a process, unless configured (`--cache-mb`). */
export const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

/** The part of this memory that each cache may use, in hundredths. */
const SHARES = {
  posts: 49,
  relations: 12,
  users: 10,
  postCounts: 8,
  homes: 6,
  userPosts: 5,
  accounts: 4,
  userCounts: 2,
  mentions: 2,
  bearerTokens: 1,
  signingTokens: 1,
} as const;

export type CacheName = keyof typeof SHARES;

/** Returns the bytes that a cache over this database may use. */
export function cacheBytes(engine: Pick<Engine, 'cacheBytes'>, cache: CacheName): number {
  return ((engine.cacheBytes ?? DEFAULT_CACHE_BYTES) * SHARES[cache]) / 100;
}
