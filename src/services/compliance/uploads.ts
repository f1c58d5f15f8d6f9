import { complianceStatus } from '../../core/compliance.js';
import { PipitError, forbidden, resourceNotFound, conflict } from '../../core/errors.js';
import { lastIdLine, readIdLines } from '../../core/id-lines.js';
import type { ComplianceJobId, ComplianceUploadId } from '../../core/ids.js';
import { acceptUpload, findComplianceJob } from '../../stores/compliance-jobs.js';
import {
  appendToUpload,
  deleteUpload,
  findUpload,
  startUpload,
  type ComplianceUpload,
} from '../../stores/compliance-uploads.js';
import type { Engine } from '../../database/engine.js';
import type { ServiceDeps } from '../service-deps.js';

/** With exponential backoff (services/jobs/backoff.ts) this gives about eight minutes: a client is waiting. */
const CHECK_ATTEMPTS = 10;

/**
 * The 409 for an upload that two connections write to. After a connection drops, its last bytes may still be stored
 * when the next connection starts.
 */
export class UploadOvertaken extends PipitError {
  constructor() {
    super({ code: 'conflict', detail: 'Another connection continues this upload.' });
  }
}

/** The number of bytes buffered before each write. */
const BLOCK_BYTES = 256 * 1024;

/**
 * Creates the receiver of the ids of compliance jobs. Each block is parsed and stored together with the upload's offset
 * in one transaction. Acknowledged bytes are therefore durable, and memory use does not depend on the file's size.
 */
export function createComplianceUploads(deps: ServiceDeps) {
  const { engine, ids, clock } = deps;
  return {
    /**
     * Starts an upload and discards any earlier one. Throws 404 for an unknown job, 409 when ids were already uploaded,
     * and 403 when `onlyResumable` is set and the job is not resumable.
     */
    start: (jobId: ComplianceJobId, { onlyResumable = false }: { readonly onlyResumable?: boolean } = {}) =>
      engine.tx('start compliance upload', async (tx) => {
        const job = await findComplianceJob(tx, jobId);
        if (!job) throw notFound('id', jobId);
        if (complianceStatus(job, clock()) !== 'created') throw notAwaited();
        if (onlyResumable && !job.resumable) throw forbidden('This job was not created as resumable.');
        return { job, upload: await startUpload(tx, jobId, ids.next<ComplianceUploadId>()) };
      }),
    /**
     * Returns the running upload, or undefined when the job has accepted it. Throws 404 when a later upload replaced
     * it.
     */
    find: async (jobId: ComplianceJobId, uploadId: ComplianceUploadId) => {
      const upload = await findUpload(engine, jobId);
      if (upload?.uploadId === uploadId) return upload;
      if ((await findComplianceJob(engine, jobId))?.uploadId === uploadId) return undefined;
      throw notFound('upload_id', uploadId);
    },
    /**
     * Stores the bytes as they arrive and resolves to the updated upload. When `bytes` throws, the bytes received so
     * far are stored and the error is rethrown. Throws UploadOvertaken when another connection wrote to the upload.
     */
    append: (upload: ComplianceUpload, bytes: AsyncIterable<Uint8Array>) => append(engine, upload, bytes),
    /**
     * Completes the upload and enqueues the check, atomically. Idempotent. Throws UploadOvertaken, or 409 when the job
     * no longer accepts ids.
     */
    finish: (upload: ComplianceUpload) => finish(deps, upload),
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

async function finish({ engine, clock, queue }: ServiceDeps, upload: ComplianceUpload): Promise<void> {
  const { jobId, uploadId } = upload;
  await engine.tx('finish compliance upload', async (tx) => {
    const job = await findComplianceJob(tx, jobId);
    if (job?.uploadId === uploadId) return;
    if (!job || complianceStatus(job, clock()) !== 'created') throw notAwaited();
    // Stores a last line without a line end. Fails if another connection has written since.
    const last = { bytes: 0, ids: lastIdLine(upload.rest), rest: '' };
    if (!(await appendToUpload(tx, upload, last))) throw new UploadOvertaken();
    if (!(await acceptUpload(tx, job, uploadId))) throw notAwaited();
    await deleteUpload(tx, jobId);
    const payload = { jobId: String(jobId) };
    await queue.enqueue(tx, { kind: 'check-compliance', payload, maxAttempts: CHECK_ATTEMPTS });
  });
}

function notAwaited(): PipitError {
  return conflict('This job no longer accepts ids.');
}

function notFound(parameter: 'id' | 'upload_id', id: bigint): PipitError {
  return resourceNotFound({ resourceType: 'compliance_job', parameter, value: String(id) });
}
