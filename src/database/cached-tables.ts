/**
 * The tables of which a process may keep rows in memory (row-cache.ts). Every process tells the others when it changes
 * or removes rows of these, whether or not it keeps any itself, where the database does not do so by itself
 * (postgres/changes.ts). That takes a lock that all commits which tell something share, so tables that change at every
 * post or like, such as those of counts, do not belong here.
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
 * Tables that change too often for that: a process keeps what it read from these where changes show by themselves, and
 * nothing elsewhere.
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

/**
 * The tables of which it is kept, too, what is not in them, as who does not block whom: there a row that is added is a
 * change.
 */
export const INVALIDATED_BY_INSERT: readonly string[] = [
  'follows',
  'mutes',
  'blocks',
  'blocked_by',
  ...LOCAL_ONLY_TABLES,
];
