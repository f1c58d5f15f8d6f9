import type { Migration } from './migration.js';

/** Background jobs for any process. */
export const jobs: Migration = {
  version: 2,
  name: 'jobs',
  statements: (ddl) => [
    // free_at: when a worker may claim the job: when it is due or its lease expires; NULL: dead. lease: the holder's
    // token; NULL: none. unique_key: until the job starts, no other may have the same.
    `CREATE TABLE jobs (
      id ${ddl.idKey},
      kind TEXT NOT NULL,
      payload TEXT NOT NULL,
      unique_key TEXT,
      created_at BIGINT NOT NULL,
      free_at BIGINT,
      lease BIGINT,
      attempts INTEGER NOT NULL,
      max_attempts INTEGER NOT NULL,
      last_error TEXT
    )`,
    'CREATE UNIQUE INDEX jobs_unique_key ON jobs (unique_key)',
    'CREATE INDEX jobs_free ON jobs (free_at, id)',
  ],
};
