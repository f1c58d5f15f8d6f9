import type { Migration } from './migration.js';

/** What apps say of themselves to people whom they ask for their accounts; empty when they say nothing. */
export const appProfiles: Migration = {
  version: 18,
  name: 'app-profiles',
  statements: () =>
    ['description', 'website'].map(
      (column) => `ALTER TABLE apps ADD COLUMN ${column} TEXT NOT NULL DEFAULT ''`,
    ),
};
