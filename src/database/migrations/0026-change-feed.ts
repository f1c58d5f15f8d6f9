import type { Migration } from './migration.js';

/** Recorded what each transaction changed in a table that migration 33 creates again. */
export const changeFeed: Migration = {
  version: 26,
  name: 'change-feed',
  statements: () => [],
};
