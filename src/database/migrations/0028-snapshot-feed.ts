import type { Migration } from './migration.js';

/** Records what each transaction changed where several write at a time, instead of notifications. */
export const snapshotFeed: Migration = {
  version: 28,
  name: 'snapshot-feed',
  statements: (ddl) => ddl.snapshotFeed,
};
