import type { Migration } from './migration.js';

/** Records what each transaction changed, for the caches of other processes. */
export const changeFeed: Migration = {
  version: 26,
  name: 'change-feed',
  statements: (ddl) => ddl.changeFeed,
};
