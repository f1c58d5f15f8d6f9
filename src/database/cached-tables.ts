/** What caches know of a table. */
interface CachedTable {
  /**
   * The column by whose values caches find what a change concerns. A change of a row never changes it. Where it is
   * NULL, as in an app's own tokens, a change concerns the whole table.
   */
  readonly key?: string;
  /** True if caches also keep the absence of rows, such as "does not block": an insert invalidates it. */
  readonly keepsAbsence?: true;
}

const TABLES: Readonly<Record<string, CachedTable>> = {
  posts: { key: 'id' },
  post_counts: { key: 'post_id', keepsAbsence: true },
  users: { key: 'id' },
  user_counts: { key: 'user_id', keepsAbsence: true },
  apps: { key: 'id' },
  bearer_tokens: { key: 'user_id' },
  oauth1_tokens: { key: 'user_id' },
  follows: { key: 'user_id', keepsAbsence: true },
  mutes: { key: 'user_id', keepsAbsence: true },
  blocks: { key: 'user_id', keepsAbsence: true },
  blocked_by: { key: 'user_id', keepsAbsence: true },
  user_posts: { key: 'user_id', keepsAbsence: true },
  home_timelines: { key: 'user_id', keepsAbsence: true },
  large_follows: { key: 'user_id', keepsAbsence: true },
  search_untimed: {},
  stream_rules: { keepsAbsence: true },
};

/**
 * The tables whose rows a process may cache in memory (row-cache.ts). Each transaction that changes them appends an
 * entry to the feed of changes, which every process reads (docs/design/caches.md).
 */
export const CACHED_TABLES: readonly string[] = Object.keys(TABLES);

/** Returns the column by whose values caches find the rows of a table; empty if there is none. */
export const keyColumnOf = (table: string): string => TABLES[table]?.key ?? '';

/** Reports whether caches also keep the absence of rows of a table, so that an insert invalidates them. */
export const keepsAbsence = (table: string): boolean => TABLES[table]?.keepsAbsence === true;
