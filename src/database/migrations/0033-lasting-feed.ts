import type { Migration } from './migration.js';

/** Records what each transaction did, and when, for subscribers. */
export const lastingFeed: Migration = {
  version: 33,
  name: 'lasting-feed',
  statements: (ddl) => ddl.changeFeed[33],
};
