/**
 * The tables whose rows a process may cache in memory (row-cache.ts). Where the database does not announce changes
 * itself (postgres/changes.ts), every process notifies the others when it changes or deletes rows of these tables.
 * Commits that notify share a lock, so tables that change with every post or like, such as counts, do not belong
 * here.
 */
export const CACHED_TABLES: readonly string[] = [
  'posts',
  'users',
  'apps',
  'bearer_tokens',
  'oauth1_tokens',
  'follows',
  'mutes',
  'blocks',
  'blocked_by',
  'search_untimed',
];

/**
 * Tables that change too often for notifications. A process caches their rows only if it sees all changes without
 * notifications.
 */
export const LOCAL_ONLY_TABLES: readonly string[] = [
  'post_counts',
  'user_posts',
  'mentions',
  'home_timelines',
  'home_entries',
  'large_follows',
  'pending_fan_outs',
];

/** Tables of which caches also keep absent rows, such as "does not block": an insert invalidates them too. */
export const INVALIDATED_BY_INSERT: readonly string[] = [
  'follows',
  'mutes',
  'blocks',
  'blocked_by',
  ...LOCAL_ONLY_TABLES,
];
