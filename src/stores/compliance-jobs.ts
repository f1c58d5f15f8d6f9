import type { ComplianceJob, ComplianceSubject, StoredComplianceStatus } from '../core/compliance.js';
import { downloadExpiresAtMs, uploadExpiresAtMs } from '../core/compliance.js';
import type { AppId, ComplianceJobId, ComplianceUploadId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asBoolean, asId, asNumber, asOptionalId, asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';

/** A compliance job and the upload that was accepted for it. */
export interface StoredComplianceJob extends ComplianceJob {
  readonly uploadId?: ComplianceUploadId;
}

const JOBS = defineTable<StoredComplianceJob, ComplianceJobId>('compliance_jobs', 'id', {
  id: ['id', asId],
  appId: ['app_id', asId],
  subject: ['subject', asText],
  name: ['name', asOptionalText],
  resumable: ['is_resumable', asBoolean],
  status: ['status', asText],
  createdAtMs: ['created_at', asNumber],
  uploadId: ['upload_id', asOptionalId],
});

export const findComplianceJob = JOBS.find;

/** Returns the app's jobs for a subject created at `sinceMs` or later, newest first. */
export function listComplianceJobs(
  db: Queryable,
  appId: AppId,
  subject: ComplianceSubject,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<ComplianceJob[]> {
  const condition = sql`
    app_id = ${appId} AND subject = ${subject} AND created_at >= ${sinceMs} ORDER BY id DESC LIMIT ${limit}`;
  return JOBS.list(db, condition);
}

/**
 * Stores a new job. Returns false and changes nothing while another job of the app for the same subject waits for its
 * ids or is in progress (docs/api/limits.md#sizes).
 */
export async function insertComplianceJob(tx: Tx, job: ComplianceJob): Promise<boolean> {
  const taken = await tx.run(sql`
    INSERT INTO compliance_slots (app_id, subject, job_id, free_at)
    VALUES (${job.appId}, ${job.subject}, ${job.id}, ${uploadExpiresAtMs(job)})
    ON CONFLICT (app_id, subject) DO UPDATE SET job_id = excluded.job_id, free_at = excluded.free_at
      WHERE compliance_slots.free_at <= ${job.createdAtMs}`);
  if (taken === 0) return false;
  await JOBS.insert(tx, job);
  return true;
}

/** Accepts an upload and starts the job. Returns false and changes nothing if the job no longer waits for its ids. */
export async function acceptUpload(
  tx: Tx,
  job: ComplianceJob,
  uploadId: ComplianceUploadId,
): Promise<boolean> {
  const accepted = await tx.run(sql`
    UPDATE compliance_jobs SET status = 'in_progress', upload_id = ${uploadId}
    WHERE id = ${job.id} AND status = 'created'`);
  if (accepted === 0) return false;
  await tx.run(sql`
    UPDATE compliance_slots SET free_at = ${downloadExpiresAtMs(job)}
    WHERE app_id = ${job.appId} AND subject = ${job.subject} AND job_id = ${job.id}`);
  return true;
}

/** Ends a job, so that the app may create the next one. Does nothing if the job has already ended. */
export async function endComplianceJob(
  tx: Tx,
  job: ComplianceJob,
  status: Extract<StoredComplianceStatus, 'complete' | 'failed'>,
): Promise<void> {
  await tx.run(
    sql`UPDATE compliance_jobs SET status = ${status} WHERE id = ${job.id} AND status = 'in_progress'`,
  );
  await freeSlot(tx, job);
}

/** Deletes a job's row. The caller deletes everything else that belongs to the job. */
export async function deleteComplianceJob(tx: Tx, job: ComplianceJob): Promise<void> {
  await tx.run(sql`DELETE FROM compliance_jobs WHERE id = ${job.id}`);
  await freeSlot(tx, job);
}

async function freeSlot(tx: Tx, job: ComplianceJob): Promise<void> {
  await tx.run(sql`
    DELETE FROM compliance_slots
    WHERE app_id = ${job.appId} AND subject = ${job.subject} AND job_id = ${job.id}`);
}
