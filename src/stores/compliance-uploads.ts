import type { ComplianceJobId, ComplianceUploadId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asNumber, asText, sql } from '../database/sql.js';
import { defineTable, deleteBy, countQuery, rowChange, valueQuery } from '../database/table.js';

/** The progress of an upload. */
export interface ComplianceUpload {
  readonly jobId: ComplianceJobId;
  readonly uploadId: ComplianceUploadId;
  readonly receivedBytes: number;
  /** The number of stored parts, which is also the number of the next part. */
  readonly parts: number;
  /** See `readIdLines`. */
  readonly rest: string;
}

const UPLOADS = defineTable<ComplianceUpload, ComplianceJobId>('compliance_uploads', 'jobId', {
  jobId: ['job_id', asId],
  uploadId: ['upload_id', asId],
  receivedBytes: ['received', asNumber],
  parts: ['parts', asNumber],
  rest: ['rest', asText],
});

/** Ids per part. A part is looked up in one transaction, so it is small enough not to delay requests. */
const PART_IDS = 2_000;

/** Starts an upload and replaces any earlier one, which can no longer continue. */
export async function startUpload(
  tx: Tx,
  jobId: ComplianceJobId,
  uploadId: ComplianceUploadId,
): Promise<ComplianceUpload> {
  await tx.run(sql`
    INSERT INTO compliance_uploads (job_id, upload_id, received, parts, rest)
    VALUES (${jobId}, ${uploadId}, 0, 0, '')
    ON CONFLICT (job_id) DO UPDATE SET upload_id = excluded.upload_id, received = 0, parts = 0, rest = ''`);
  return { jobId, uploadId, receivedBytes: 0, parts: 0, rest: '' };
}

/** Counts the parts of a job's uploads that are not looked up yet. */
export const countParts = countQuery<[jobId: ComplianceJobId]>('compliance_parts WHERE job_id = ?');

/** Returns the running upload of a job. */
export const findUpload = UPLOADS.find;

/**
 * Appends to an upload and returns its new progress. Returns undefined and changes nothing if the upload is no longer
 * at the position of `upload`.
 */
export async function appendToUpload(
  tx: Tx,
  upload: ComplianceUpload,
  next: { readonly bytes: number; readonly ids: readonly bigint[]; readonly rest: string },
): Promise<ComplianceUpload | undefined> {
  const { jobId, uploadId } = upload;
  const after = {
    ...upload,
    receivedBytes: upload.receivedBytes + next.bytes,
    parts: upload.parts + Math.ceil(next.ids.length / PART_IDS),
    rest: next.rest,
  };
  const changed = await tx.run(sql`
    UPDATE compliance_uploads
    SET received = ${after.receivedBytes}, parts = ${after.parts}, rest = ${after.rest}
    WHERE job_id = ${jobId} AND upload_id = ${uploadId} AND received = ${upload.receivedBytes}`);
  if (changed === 0) return undefined;
  for (let number = upload.parts; number < after.parts; number += 1) {
    const from = (number - upload.parts) * PART_IDS;
    const ids = next.ids.slice(from, from + PART_IDS).join('\n');
    await tx.run(sql`
      INSERT INTO compliance_parts (job_id, upload_id, number, ids)
      VALUES (${jobId}, ${uploadId}, ${number}, ${ids})`);
  }
  return after;
}

/** Deletes the progress of a job's upload but keeps its parts. */
export const deleteUpload = deleteBy<ComplianceJobId>('job_id', 'compliance_uploads');

type PartKey = [jobId: ComplianceJobId, uploadId: ComplianceUploadId, number: number];

/** Returns the ids of a part, or undefined after the last one. */
export const findPart = valueQuery<bigint[], PartKey>(
  (ids) => asText(ids).split('\n').map(BigInt),
  'SELECT ids FROM compliance_parts WHERE job_id = ? AND upload_id = ? AND number = ?',
);

export const deletePart = rowChange<PartKey>(
  'DELETE FROM compliance_parts WHERE job_id = ? AND upload_id = ? AND number = ?',
);

/** Deletes up to `limit` parts of a job that do not belong to the upload `keep`. Returns the number deleted. */
export async function deleteParts(
  tx: Tx,
  jobId: ComplianceJobId,
  keep: ComplianceUploadId | undefined,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    DELETE FROM compliance_parts
    WHERE job_id = ${jobId} AND (upload_id, number) IN (
      SELECT upload_id, number FROM compliance_parts
      WHERE job_id = ${jobId} AND upload_id <> ${keep ?? 0n} LIMIT ${limit})`);
}
