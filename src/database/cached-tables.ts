/**
 * The tables whose rows a process may cache in memory (row-cache.ts). Each transaction that changes them appends an
 * entry to the feed of changes, which every process reads (docs/design/caches.md).
 */
export const CACHED_TABLES: readonly string[] = [
  'posts',
  'post_counts',
  'users',
  'user_counts',
  'apps',
  'bearer_tokens',
  'oauth1_tokens',
  'follows',
  'mutes',
  'blocks',
  'blocked_by',
  'user_posts',
  'home_timelines',
  'large_follows',
  'search_untimed',
  'stream_rules',
];

/** Tables of which caches also keep absent rows, such as "does not block": an insert invalidates them too. */
export const INVALIDATED_BY_INSERT: readonly string[] = [
  'post_counts',
  'user_counts',
  'follows',
  'mutes',
  'blocks',
  'blocked_by',
  'user_posts',
  'home_timelines',
  'large_follows',
  'stream_rules',
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
  home_timelines: 'user_id',
  large_follows: 'user_id',
};
