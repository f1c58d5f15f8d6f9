import type { Tx } from '../../database/engine.js';
import {
  completeJob,
  continueJob,
  failJob,
  releaseJob,
  renewJob,
  type ClaimedJob,
} from '../../stores/jobs.js';
import type { StorageLog } from '../../database/storage-log.js';
import { backoffMs } from './backoff.js';
import type { JobCounts, JobOutcome } from './job-counts.js';
import {
  LeaseLost,
  WorkerStopping,
  type JobHandler,
  type JobRun,
  type DeadLetterHandler,
} from './handler.js';
import type { ServiceDeps } from '../service-deps.js';

/** The error of an attempt that ended without reporting an outcome. */
const DIED = 'the worker process ended or did not renew its lease';

interface RunDeps extends Pick<ServiceDeps, 'engine' | 'clock'> {
  readonly log: StorageLog;
  readonly random: () => number;
  readonly leaseMs: number;
  readonly onDeadLetter?: DeadLetterHandler;
  readonly counts: JobCounts;
}

/** A job that a handler works on. */
export interface RunningJob {
  /** Resolves when the handler has ended and its outcome is stored. Never rejects. */
  readonly ended: Promise<void>;
  /** Renews the lease, and aborts the handler when the lease was lost. Never rejects. */
  renew(): Promise<void>;
  /** Asks the handler to stop. */
  stop(): void;
  /** Releases the job although its handler has not ended. */
  release(): Promise<void>;
}

/** Bounds the error text that operators see in lists. */
const MAX_ERROR_LENGTH = 1_000;

/** A job claimed by this process. */
interface HeldJob<Payload> {
  readonly run: JobRun<Payload>;
  readonly abort: AbortController;
  /** Identifies the job in log lines. */
  readonly about: Readonly<Record<string, unknown>>;
  /** True once the outcome is stored; this worker must not touch the job afterwards. */
  isSettled: boolean;
}

/** Runs the handler of a claimed job and stores the outcome. A job without attempts left is marked dead. */
export function runJob<Payload>(deps: RunDeps, job: ClaimedJob, handler: JobHandler<Payload>): RunningJob {
  const { engine, clock, log, counts } = deps;
  const startedMs = performance.now();
  const held = hold<Payload>(deps, job);
  const { run, abort, about } = held;

  const renew = async (): Promise<void> => {
    if (held.isSettled) return;
    try {
      await run.heartbeat();
    } catch (err) {
      if (held.isSettled) return;
      if (err instanceof LeaseLost) abort.abort(err);
      log.warn({ ...about, err }, 'the lease of a job was not renewed');
    }
  };

  const release = async (): Promise<void> => {
    if (held.isSettled) return;
    held.isSettled = true;
    await engine.tx('release job', (tx) => releaseJob(tx, job.lease, clock()));
  };

  const work = async (): Promise<JobOutcome> => {
    try {
      if (job.attempt > job.maxAttempts) throw new Error(DIED);
      await handler(run);
      if (!held.isSettled) await engine.tx('complete job', run.completeIn);
      return 'done';
    } catch (error) {
      if (held.isSettled) return 'done';
      if (error instanceof WorkerStopping) {
        await release();
        return 'released';
      }
      if (!(error instanceof LeaseLost)) return fail(deps, job, held, error);
      log.warn(about, 'another worker claimed the job');
      return 'lost';
    }
  };

  const ended = work()
    // The lease expires and the job is claimed again.
    .catch((err: unknown): JobOutcome => {
      log.warn({ ...about, err }, 'the outcome of a job was not stored');
      return 'unstored';
    })
    .then((outcome) => {
      held.isSettled = true;
      counts.add(job.kind, outcome, (performance.now() - startedMs) / 1000);
    });
  return { ended, renew, stop: () => abort.abort(new WorkerStopping('the worker stops')), release };
}

function hold<Payload>({ engine, clock, leaseMs }: RunDeps, job: ClaimedJob): HeldJob<Payload> {
  const { lease, kind, attempt } = job;
  const abort = new AbortController();
  let deadlineMs = job.untilMs;

  /** Only the commit settles the job, because the transaction body may be retried or fail. */
  const settleIn = async (tx: Tx, isHeld: Promise<boolean>): Promise<void> => {
    if (!(await isHeld)) throw new LeaseLost(lease.jobId);
    tx.afterCommit(() => {
      held.isSettled = true;
    });
  };

  const run: JobRun<Payload> = {
    jobId: lease.jobId,
    payload: job.payload as Payload,
    attempt,
    get deadlineMs() {
      return deadlineMs;
    },
    signal: abort.signal,
    heartbeat: async () => {
      const untilMs = clock() + leaseMs;
      const isRenewed = await engine.tx('renew job', (tx) => renewJob(tx, lease, untilMs));
      if (!isRenewed) throw new LeaseLost(lease.jobId);
      deadlineMs = untilMs;
    },
    completeIn: (tx) => settleIn(tx, completeJob(tx, lease)),
    continueWith: (tx, payload, runAtMs) => settleIn(tx, continueJob(tx, lease, payload, runAtMs ?? clock())),
  };
  const about = { job: String(lease.jobId), kind, attempt };
  const held: HeldJob<Payload> = { run, abort, about, isSettled: false };
  return held;
}

async function fail(
  { engine, clock, log, random, onDeadLetter }: RunDeps,
  job: ClaimedJob,
  { about }: Pick<HeldJob<unknown>, 'about'>,
  err: unknown,
): Promise<JobOutcome> {
  const isLast = job.attempt >= job.maxAttempts;
  const retryAtMs = isLast ? undefined : clock() + backoffMs(job.attempt, random);
  const failure = { error: String(err).slice(0, MAX_ERROR_LENGTH), retryAtMs };
  await engine.tx('fail job', async (tx) => {
    const isMine = await failJob(tx, job.lease, failure);
    if (isMine && isLast) await onDeadLetter?.(tx, job);
  });
  log.warn({ ...about, err }, isLast ? 'a job is dead' : 'a job failed and will be retried');
  return isLast ? 'dead' : 'failed';
}
