import {
  complianceStatus,
  estimatedCompletionMs,
  LISTED_MS,
  uploadExpiresAtMs,
  type ComplianceFinding,
  type ComplianceJob,
  type ComplianceStatus,
  type ComplianceSubject,
  type ShownComplianceJob,
} from '../../core/compliance.js';
import type { AppId, ComplianceJobId } from '../../core/ids.js';
import { listFindings } from '../../stores/compliance-findings.js';
import { findComplianceJob, insertComplianceJob, listComplianceJobs } from '../../stores/compliance-jobs.js';
import { countParts } from '../../stores/compliance-uploads.js';
import type { Engine } from '../../database/engine.js';
import { createComplianceLinks } from './links.js';
import { createComplianceUploads } from './uploads.js';
import type { ServiceDeps } from '../service-deps.js';
import { conflict } from '../../core/errors.js';

/** The maximum number of jobs in a list. */
const MAX_LISTED = 1_000;

/** The number of findings per read. */
const PAGE = 1_000;

type NewComplianceJob = Pick<ComplianceJob, 'subject' | 'name' | 'resumable'>;

interface ComplianceDeps extends ServiceDeps {
  /** The server's key; the signing key of the links is derived from it. */
  readonly key: Uint8Array;
  /** The base URL of the links. */
  readonly publicUrl: string;
}

/** Compliance jobs of apps (docs/api/compliance.md). */
export type ComplianceService = ReturnType<typeof createComplianceService>;

export function createComplianceService(deps: ComplianceDeps) {
  const { engine, clock } = deps;
  const links = createComplianceLinks(deps);
  const see = async (job: ComplianceJob): Promise<ShownComplianceJob> => {
    const nowMs = clock();
    const status = complianceStatus(job, nowMs);
    const partsLeft = status === 'in_progress' ? await countParts(engine, job.id) : 0;
    return {
      ...job,
      status,
      uploadUrl: links.uploadUrl(job),
      downloadUrl: links.downloadUrl(job),
      estimatedCompletionMs: estimatedCompletionMs(status, partsLeft, nowMs),
    };
  };
  return {
    /** Creates a job. Throws 409 while the app has another job for the same subject that has not ended. */
    create: async (appId: AppId, input: NewComplianceJob) => see(await createJob(deps, appId, input)),
    /** Returns the job, or undefined when the app has no such job. */
    find: async (appId: AppId, id: ComplianceJobId) => {
      const job = await findComplianceJob(engine, id);
      return job?.appId === appId ? see(job) : undefined;
    },
    /** Returns the app's jobs of the last 30 days, newest first, at most 1,000; filtered by `status` when given. */
    list: async (appId: AppId, subject: ComplianceSubject, status?: ComplianceStatus) => {
      const range = { sinceMs: clock() - LISTED_MS, limit: MAX_LISTED };
      const stored = await listComplianceJobs(engine, appId, subject, range);
      const jobs = await Promise.all(stored.map(see));
      return status === undefined ? jobs : jobs.filter((job) => job.status === status);
    },
    /** Returns the findings in pages, by ascending id; undefined unless the job is complete. */
    results: async (id: ComplianceJobId) => {
      const job = await findComplianceJob(engine, id);
      return job && complianceStatus(job, clock()) === 'complete' ? pagesOfFindings(engine, id) : undefined;
    },
    links,
    uploads: createComplianceUploads(deps),
  };
}

async function createJob(
  deps: ComplianceDeps,
  appId: AppId,
  input: NewComplianceJob,
): Promise<ComplianceJob> {
  const { engine, ids, clock, queue } = deps;
  return engine.tx('create compliance job', async (tx) => {
    const id = ids.next<ComplianceJobId>();
    const job: ComplianceJob = { ...input, id, appId, status: 'created', createdAtMs: clock() };
    if (!(await insertComplianceJob(tx, job))) {
      throw conflict('You cannot create a new job if one is already in progress.');
    }
    const payload = { jobId: String(id) };
    await queue.enqueue(tx, { kind: 'clean-compliance', payload, runAtMs: uploadExpiresAtMs(job) });
    return job;
  });
}

async function* pagesOfFindings(
  engine: Engine,
  id: ComplianceJobId,
): AsyncGenerator<readonly ComplianceFinding[]> {
  let page = await listFindings(engine, id, -1n, PAGE);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = page.length < PAGE ? [] : await listFindings(engine, id, last.id, PAGE);
  }
}
