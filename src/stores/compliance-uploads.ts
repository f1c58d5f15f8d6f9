import type { ComplianceJobId, ComplianceUploadId } from '../core/ids.js';
import { asId, asNumber, asText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** How far an upload is. */
export interface ComplianceUpload {
  readonly jobId: ComplianceJobId;
  readonly uploadId: ComplianceUploadId;
  readonly receivedBytes: number;
  /** How many parts are stored: the number of the next one. */
  readonly parts: number;
  /** See `readIdLines`. */
  readonly rest: string;
}

/** So many ids are stored together, and looked up in one transaction: few enough that requests in between hardly wait. */
const PART_IDS = 2_000;

/** Begins an upload in the place of any before it, which cannot go on then. */
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

/** Returns how many parts of a job's uploads are still to be looked up. */
export async function countParts(db: Queryable, jobId: ComplianceJobId): Promise<number> {
  const row = await db.get(sql`SELECT COUNT(*) AS parts FROM compliance_parts WHERE job_id = ${jobId}`);
  return asNumber(row?.parts);
}

/** The running upload of a job. */
export async function findUpload(
  db: Queryable,
  jobId: ComplianceJobId,
): Promise<ComplianceUpload | undefined> {
  const row = await db.get(sql`
    SELECT upload_id, received, parts, rest FROM compliance_uploads WHERE job_id = ${jobId}`);
  return (
    row && {
      jobId,
      uploadId: asId(row.upload_id),
      receivedBytes: asNumber(row.received),
      parts: asNumber(row.parts),
      rest: asText(row.rest),
    }
  );
}

/**
 * Adds what came next; resolves to how far the upload is then, or undefined, changing nothing, when it is not where
 * `upload` says any more.
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

/** Forgets how far the upload of a job is; its parts stay. */
export async function deleteUpload(tx: Tx, jobId: ComplianceJobId): Promise<void> {
  await tx.run(sql`DELETE FROM compliance_uploads WHERE job_id = ${jobId}`);
}

/** The ids of a part; undefined behind the last one. */
export async function findPart(
  db: Queryable,
  jobId: ComplianceJobId,
  uploadId: ComplianceUploadId,
  number: number,
): Promise<bigint[] | undefined> {
  const row = await db.get(sql`
    SELECT ids FROM compliance_parts
    WHERE job_id = ${jobId} AND upload_id = ${uploadId} AND number = ${number}`);
  return row && asText(row.ids).split('\n').map(BigInt);
}

export async function deletePart(
  tx: Tx,
  jobId: ComplianceJobId,
  uploadId: ComplianceUploadId,
  number: number,
): Promise<void> {
  await tx.run(sql`
    DELETE FROM compliance_parts
    WHERE job_id = ${jobId} AND upload_id = ${uploadId} AND number = ${number}`);
}

/** Removes up to `limit` parts of a job that are not of the upload `keep`; resolves to how many there were. */
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
