/**
 * The tables of which a process may keep rows in memory (row-cache.ts). Every process tells the others when it changes
 * or removes rows of these, whether or not it keeps any itself, where the database does not do so by itself
 * (postgres/changes.ts). That takes a lock that all commits which tell something share, so tables that change at every
 * post or like, such as those of counts, do not belong here.
 */
export const CACHED_TABLES: readonly string[] = ['posts', 'users', 'apps', 'bearer_tokens', 'oauth1_tokens'];
