import type { Migration } from './migration.js';

/**
 * Compliance jobs, the ids uploaded for them and what was found, keyed by job; and what is remembered of accounts and
 * places that are gone.
 */
export const compliance: Migration = {
  version: 11,
  name: 'compliance',
  statements: (ddl) => [
    `CREATE TABLE compliance_jobs (
      id ${ddl.idKey},
      app_id BIGINT NOT NULL,
      subject TEXT NOT NULL,
      name TEXT,
      is_resumable INTEGER NOT NULL,
      status TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      upload_id BIGINT
    )`,
    'CREATE INDEX compliance_jobs_app ON compliance_jobs (app_id, subject, id)',
    // The one job of an app and subject that waits for its ids or works on them, and when it gives way (ms).
    `CREATE TABLE compliance_slots (
      app_id BIGINT NOT NULL,
      subject TEXT NOT NULL,
      job_id BIGINT NOT NULL,
      free_at BIGINT NOT NULL,
      PRIMARY KEY (app_id, subject)
    )${ddl.clustered}`,
    // How far the running upload of a job is: bytes, whole parts, and the line that the bytes ended in.
    `CREATE TABLE compliance_uploads (
      job_id ${ddl.idKey},
      upload_id BIGINT NOT NULL,
      received BIGINT NOT NULL,
      parts BIGINT NOT NULL,
      rest TEXT NOT NULL
    )`,
    // Ids, one a line. Rows are large: they are better not kept in the index.
    `CREATE TABLE compliance_parts (
      job_id BIGINT NOT NULL,
      upload_id BIGINT NOT NULL,
      number BIGINT NOT NULL,
      ids TEXT NOT NULL,
      PRIMARY KEY (job_id, upload_id, number)
    )`,
    `CREATE TABLE compliance_findings (
      job_id BIGINT NOT NULL,
      subject_id BIGINT NOT NULL,
      reason TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      redacted_at BIGINT,
      PRIMARY KEY (job_id, subject_id)
    )${ddl.clustered}`,
    `CREATE TABLE deleted_users (
      user_id ${ddl.idKey},
      created_at BIGINT NOT NULL,
      deleted_at BIGINT NOT NULL
    )`,
    // Posts whose place was taken away.
    `CREATE TABLE scrubbed_posts (
      post_id ${ddl.idKey},
      created_at BIGINT NOT NULL,
      scrubbed_at BIGINT NOT NULL
    )`,
  ],
};
