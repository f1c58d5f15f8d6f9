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
  'user_counts',
  'user_posts',
  'mentions',
  'home_timelines',
  'large_follows',
];

/** Tables of which caches also keep absent rows, such as "does not block": an insert invalidates them too. */
export const INVALIDATED_BY_INSERT: readonly string[] = [
  'follows',
  'mutes',
  'blocks',
  'blocked_by',
  ...LOCAL_ONLY_TABLES,
];

/** The column by whose values caches find the rows of a table. A change of a row never changes it. */
export const KEY_COLUMNS: Readonly<Record<string, string>> = {
  posts: 'id',
  users: 'id',
  apps: 'id',
  follows: 'user_id',
  mutes: 'user_id',
  blocks: 'user_id',
  blocked_by: 'user_id',
  post_counts: 'post_id',
  user_counts: 'user_id',
  user_posts: 'user_id',
  mentions: 'user_id',
  home_timelines: 'user_id',
  large_follows: 'user_id',
};
