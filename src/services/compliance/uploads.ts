import type { Clock } from '../../core/clock.js';
import { complianceStatus } from '../../core/compliance.js';
import { PipitError, forbidden, resourceNotFound } from '../../core/errors.js';
import { lastIdLine, readIdLines } from '../../core/id-lines.js';
import type { ComplianceJobId, ComplianceUploadId } from '../../core/ids.js';
import type { IdSource } from '../../core/snowflake.js';
import { acceptUpload, findComplianceJob, type StoredComplianceJob } from '../../stores/compliance-jobs.js';
import {
  appendToUpload,
  deleteUpload,
  findUpload,
  startUpload,
  type ComplianceUpload,
} from '../../stores/compliance-uploads.js';
import type { Engine } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';

/** With exponential backoff (services/jobs/backoff.ts) some eight minutes of tries: somebody waits for the results. */
const CHECK_ATTEMPTS = 10;

/** The 409: after a cut, what was on its way over the old connection may still be stored when the new one begins. */
export class UploadOvertaken extends PipitError {
  constructor() {
    super({ code: 'conflict', detail: 'This upload goes on over another connection.' });
  }
}

/** So much is taken from the network before it is stored. */
const BLOCK_BYTES = 256 * 1024;

/**
 * Takes the ids of compliance jobs. Each block is read into ids and stored, with how far the upload is, in one
 * transaction: what was told to have been received is on disk, whoever goes on with it, and memory does not grow with
 * the file.
 */
export interface ComplianceUploads {
  /**
   * Begins an upload in the place of any before it. Throws the 404 for a job that is gone, the 409 when ids were
   * uploaded before, the 403 for a job that is `onlyResumable` here but was not created so.
   */
  start(
    jobId: ComplianceJobId,
    options?: { readonly onlyResumable?: boolean },
  ): Promise<{ readonly job: StoredComplianceJob; readonly upload: ComplianceUpload }>;
  /** The running upload; undefined when its job has accepted it. Throws the 404 when another one was begun since. */
  find(jobId: ComplianceJobId, uploadId: ComplianceUploadId): Promise<ComplianceUpload | undefined>;
  /**
   * Stores bytes as they come; resolves to how far the upload is then. What has come is stored also when `bytes` throws,
   * which is rethrown. Throws UploadOvertaken when another connection went on with the upload meanwhile.
   */
  append(upload: ComplianceUpload, bytes: AsyncIterable<Uint8Array>): Promise<ComplianceUpload>;
  /**
   * Ends an upload and lets the work begin, both or neither; repeated, it changes nothing. Throws UploadOvertaken, and the
   * 409 when the job takes no ids any more.
   */
  finish(upload: ComplianceUpload): Promise<void>;
}

export interface UploadDeps {
  readonly engine: Engine;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

export function createComplianceUploads(deps: UploadDeps): ComplianceUploads {
  const { engine, ids, clock } = deps;
  return {
    start: (jobId, { onlyResumable = false } = {}) =>
      engine.tx('start compliance upload', async (tx) => {
        const job = await findComplianceJob(tx, jobId);
        if (!job) throw notFound('id', jobId);
        if (complianceStatus(job, clock()) !== 'created') throw notAwaited();
        if (onlyResumable && !job.resumable) throw forbidden('This job was not created as resumable.');
        return { job, upload: await startUpload(tx, jobId, ids.next<ComplianceUploadId>()) };
      }),
    find: async (jobId, uploadId) => {
      const upload = await findUpload(engine, jobId);
      if (upload?.uploadId === uploadId) return upload;
      if ((await findComplianceJob(engine, jobId))?.uploadId === uploadId) return undefined;
      throw notFound('upload_id', uploadId);
    },
    append: (upload, bytes) => append(engine, upload, bytes),
    finish: (upload) => finish(deps, upload),
  };
}

async function append(
  engine: Engine,
  start: ComplianceUpload,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ComplianceUpload> {
  let upload = start;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const flush = async (): Promise<void> => {
    if (pendingBytes === 0) return;
    const block = Buffer.concat(pending, pendingBytes);
    [pending, pendingBytes] = [[], 0];
    upload = await appendBlock(engine, upload, block);
  };
  try {
    for await (const chunk of bytes) {
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes >= BLOCK_BYTES) await flush();
    }
  } finally {
    await flush();
  }
  return upload;
}

async function appendBlock(
  engine: Engine,
  upload: ComplianceUpload,
  block: Uint8Array,
): Promise<ComplianceUpload> {
  const next = { bytes: block.length, ...readIdLines(upload.rest, block) };
  const after = await engine.tx('append to compliance upload', (tx) => appendToUpload(tx, upload, next));
  if (!after) throw new UploadOvertaken();
  return after;
}

async function finish({ engine, clock, queue }: UploadDeps, upload: ComplianceUpload): Promise<void> {
  const { jobId, uploadId } = upload;
  await engine.tx('finish compliance upload', async (tx) => {
    const job = await findComplianceJob(tx, jobId);
    if (job?.uploadId === uploadId) return;
    if (!job || complianceStatus(job, clock()) !== 'created') throw notAwaited();
    // A last line without line end; and nobody else may have gone on meanwhile.
    const last = { bytes: 0, ids: lastIdLine(upload.rest), rest: '' };
    if (!(await appendToUpload(tx, upload, last))) throw new UploadOvertaken();
    if (!(await acceptUpload(tx, job, uploadId))) throw notAwaited();
    await deleteUpload(tx, jobId);
    const payload = { jobId: String(jobId) };
    await queue.enqueue(tx, { kind: 'check-compliance', payload, maxAttempts: CHECK_ATTEMPTS });
  });
}

function notAwaited(): PipitError {
  return new PipitError({ code: 'conflict', detail: 'This job does not wait for its ids any more.' });
}

function notFound(parameter: 'id' | 'upload_id', id: bigint): PipitError {
  return resourceNotFound({ resourceType: 'compliance_job', parameter, value: String(id) });
}
