import type { Engine } from './engine.js';
import { RowCache } from './row-cache.js';
import type { TakeChange } from './watchers.js';

/** The memory for all caches of a process, unless configured (`--cache-mb`). */
export const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

/** The part of this memory that each cache may use, in hundredths. */
const SHARES = {
  posts: 52,
  relations: 12,
  users: 11,
  postCounts: 8,
  homes: 6,
  userPosts: 6,
  userCounts: 3,
  bearerTokens: 1,
  signingTokens: 1,
} as const;

export type CacheName = keyof typeof SHARES;

export interface CacheRules<K extends bigint | string, V> {
  /** The tables from which values are read. */
  readonly tables: readonly string[];
  /** Estimates the memory of a value. */
  readonly bytesOf: (value: V) => number;
  /** See `RowCache`. */
  readonly take?: (change: Parameters<TakeChange>[0], cache: RowCache<K, V>) => boolean;
  readonly hasTextKeys?: boolean;
}

/** Creates a cache with its share of the memory for caches. */
export function createCache<K extends bigint | string, V>(
  engine: Pick<Engine, 'changesIn' | 'caches'>,
  name: CacheName,
  { tables, bytesOf, take, hasTextKeys }: CacheRules<K, V>,
): RowCache<K, V> {
  const bytes = ((engine.caches?.bytes ?? DEFAULT_CACHE_BYTES) * SHARES[name]) / 100;
  const cache = new RowCache<K, V>(engine, tables, bytes, take, bytesOf, hasTextKeys);
  engine.caches?.byName.set(name, cache);
  return cache;
}
