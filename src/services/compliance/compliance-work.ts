import {
  complianceStatus,
  downloadExpiresAtMs,
  LISTED_MS,
  uploadExpiresAtMs,
} from '../../core/compliance.js';
import type { ComplianceJobId } from '../../core/ids.js';
import type { CheckCompliancePayload, JobPayloads } from '../../core/jobs.js';
import { checkIds } from './check-ids.js';
import { deleteFindings } from '../../stores/compliance-findings.js';
import {
  deleteComplianceJob,
  endComplianceJob,
  findComplianceJob,
  type StoredComplianceJob,
} from '../../stores/compliance-jobs.js';
import { deletePart, deleteParts, deleteUpload, findPart } from '../../stores/compliance-uploads.js';
import type { Tx } from '../../database/engine.js';
import type { JobHandlers, JobRun } from '../jobs/handler.js';
import type { ServiceDeps } from '../service-deps.js';

/** Upper bounds per transaction. */
const CLEANED_PARTS = 20;
const CLEANED_FINDINGS = 1_000;

type ComplianceKind = 'check-compliance' | 'clean-compliance';

/** Creates the handlers for compliance jobs. Each run processes one part of the ids (docs/api/compliance.md). */
export function createComplianceHandlers({
  engine,
  clock,
}: Pick<ServiceDeps, 'engine' | 'clock'>): Required<Pick<JobHandlers<JobPayloads>, ComplianceKind>> {
  return {
    'check-compliance': (run) => engine.tx('check compliance', (tx) => checkPart(tx, run)),
    'clean-compliance': (run) =>
      engine.tx('clean compliance job', async (tx) => {
        const job = await findComplianceJob(tx, idOf(run.payload));
        const nextAtMs = job && (await cleanChunk(tx, job, clock()));
        await (nextAtMs === undefined ? run.completeIn(tx) : run.continueWith(tx, run.payload, nextAtMs));
      }),
  };
}

/** Checks the next part of the ids and deletes it; completes the job when no part remains. */
async function checkPart(tx: Tx, run: JobRun<CheckCompliancePayload>): Promise<void> {
  const { payload } = run;
  const { part = 0 } = payload;
  const job = await findComplianceJob(tx, idOf(payload));
  if (job?.status !== 'in_progress' || job.uploadId === undefined) return run.completeIn(tx);
  const ids = await findPart(tx, job.id, job.uploadId, part);
  if (!ids) {
    await endComplianceJob(tx, job, 'complete');
    return run.completeIn(tx);
  }
  await checkIds(tx, job.id, job.subject, ids);
  await deletePart(tx, job.id, job.uploadId, part);
  await run.continueWith(tx, { ...payload, part: part + 1 });
}

/**
 * Deletes abandoned uploads; after the links expire, also the ids and findings; finally the job itself. Resolves to
 * the time of the next step, or undefined when the job is deleted.
 */
async function cleanChunk(tx: Tx, job: StoredComplianceJob, nowMs: number): Promise<number | undefined> {
  const goneAtMs = job.createdAtMs + LISTED_MS;
  if (nowMs < uploadExpiresAtMs(job)) return uploadExpiresAtMs(job);
  const isAtWork = complianceStatus(job, nowMs) === 'in_progress';
  const kept = isAtWork ? job.uploadId : undefined;
  if ((await deleteParts(tx, job.id, kept, CLEANED_PARTS)) === CLEANED_PARTS) return nowMs;
  if (!isAtWork) await deleteUpload(tx, job.id);
  if (nowMs < downloadExpiresAtMs(job)) return downloadExpiresAtMs(job);
  if ((await deleteFindings(tx, job.id, CLEANED_FINDINGS)) === CLEANED_FINDINGS) return nowMs;
  if (nowMs < goneAtMs) return goneAtMs;
  await deleteComplianceJob(tx, job);
  return undefined;
}

function idOf({ jobId }: { readonly jobId: string }): ComplianceJobId {
  return BigInt(jobId) as ComplianceJobId;
}
