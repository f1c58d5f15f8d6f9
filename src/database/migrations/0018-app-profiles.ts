import type { Migration } from './migration.js';

/** Descriptions of apps, shown to people whose consent they request; empty if not given. */
export const appProfiles: Migration = {
  version: 18,
  name: 'app-profiles',
  statements: () =>
    ['description', 'website'].map(
      (column) => `ALTER TABLE apps ADD COLUMN ${column} TEXT NOT NULL DEFAULT ''`,
    ),
};
