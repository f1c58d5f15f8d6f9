import type { Migration } from './migration.js';

/**
 * Compliance jobs, their uploaded ids and findings, keyed by job; and records of deleted accounts and removed places.
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
    // The active job of an app and subject, waiting or in progress, and when its slot is released (ms).
    `CREATE TABLE compliance_slots (
      app_id BIGINT NOT NULL,
      subject TEXT NOT NULL,
      job_id BIGINT NOT NULL,
      free_at BIGINT NOT NULL,
      PRIMARY KEY (app_id, subject)
    )${ddl.clustered}`,
    // The progress of a job's running upload: bytes, complete parts, and the incomplete last line.
    `CREATE TABLE compliance_uploads (
      job_id ${ddl.idKey},
      upload_id BIGINT NOT NULL,
      received BIGINT NOT NULL,
      parts BIGINT NOT NULL,
      rest TEXT NOT NULL
    )`,
    // Ids, one per line. Rows are large, so they are not clustered.
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
    // Posts whose place was removed.
    `CREATE TABLE scrubbed_posts (
      post_id ${ddl.idKey},
      created_at BIGINT NOT NULL,
      scrubbed_at BIGINT NOT NULL
    )`,
  ],
};
