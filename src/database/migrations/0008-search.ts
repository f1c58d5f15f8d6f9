import type { Migration } from './migration.js';

/** The full-text index and the posts to index. */
export const search: Migration = {
  version: 8,
  name: 'search',
  statements: (ddl) => [
    ...ddl.searchIndex,
    // Posts created, changed or deleted since they were last indexed. revision: grows with each change.
    `CREATE TABLE search_pending (
      created_at BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      revision BIGINT NOT NULL,
      PRIMARY KEY (created_at, post_id)
    )${ddl.clustered}`,
    // Periods (ms) in which accounts were protected: search must not find posts from these periods.
    `CREATE TABLE protected_periods (
      user_id BIGINT NOT NULL,
      started_at BIGINT NOT NULL,
      ended_at BIGINT,
      PRIMARY KEY (user_id, started_at)
    )${ddl.clustered}`,
    // The progress of the running rebuild of the index.
    `CREATE TABLE search_rebuild (
      id INTEGER PRIMARY KEY,
      after_id BIGINT NOT NULL
    )`,
    // Posts older than this step are indexed like new ones.
    'INSERT INTO search_pending (created_at, post_id, revision) SELECT created_at, id, 0 FROM posts',
  ],
};
