import type { Migration } from './migration.js';

/** The full-text index, and what it has yet to learn. */
export const search: Migration = {
  version: 8,
  name: 'search',
  statements: (ddl) => [
    ...ddl.searchIndex,
    // Posts that were made, changed or removed since the index last looked at them. revision: grows with each change.
    `CREATE TABLE search_pending (
      created_at BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      revision BIGINT NOT NULL,
      PRIMARY KEY (created_at, post_id)
    )${ddl.clustered}`,
    // From when until when (ms) accounts were protected: what they posted then is not to be found by search.
    `CREATE TABLE protected_periods (
      user_id BIGINT NOT NULL,
      started_at BIGINT NOT NULL,
      ended_at BIGINT,
      PRIMARY KEY (user_id, started_at)
    )${ddl.clustered}`,
    // How far the one rebuild of the index that is under way got.
    `CREATE TABLE search_rebuild (
      id INTEGER PRIMARY KEY,
      after_id BIGINT NOT NULL
    )`,
    // Posts of before this step are indexed like new ones.
    'INSERT INTO search_pending (created_at, post_id, revision) SELECT created_at, id, 0 FROM posts',
  ],
};
