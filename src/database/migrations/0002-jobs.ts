import type { Migration } from './migration.js';

/** Work to do later, by whichever process takes it. */
export const jobs: Migration = {
  version: 2,
  name: 'jobs',
  statements: (ddl) => [
    // free_at: from when on a worker may take the job, which is when it is due or when its lease ends; NULL: dead.
    // lease: who has it, NULL for nobody. unique_key: until it begins, no second job may have the same.
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
