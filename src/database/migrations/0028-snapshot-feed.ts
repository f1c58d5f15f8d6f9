import type { Migration } from './migration.js';

/** Recorded what each transaction changed on PostgreSQL in a table that migration 33 creates again. */
export const snapshotFeed: Migration = {
  version: 28,
  name: 'snapshot-feed',
  statements: () => [],
};
