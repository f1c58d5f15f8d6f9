import type { Migration } from './migration.js';

/** Finds the Spaces of all users that have not ended. */
export const openSpaces: Migration = {
  version: 49,
  name: 'open-spaces',
  statements: () => ['CREATE INDEX open_spaces ON created_spaces (space_id) WHERE is_open = 1'],
};
