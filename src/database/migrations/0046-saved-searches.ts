import type { Migration } from './migration.js';

/** The searches that users keep. */
export const savedSearches: Migration = {
  version: 46,
  name: 'saved-searches',
  statements: (ddl) => [
    `CREATE TABLE saved_searches (
      id ${ddl.idKey},
      user_id BIGINT NOT NULL,
      query TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX saved_searches_by_user ON saved_searches (user_id, id)',
  ],
};
