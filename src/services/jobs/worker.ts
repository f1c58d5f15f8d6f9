import { createLoop } from '../../core/loop.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { claimJobs, hasDueJob, type ClaimedJob } from '../../stores/jobs.js';
import type { StorageLog } from '../../database/storage-log.js';
import type { JobHandler, JobHandlers, DeadLetterHandler } from './handler.js';
import { JobCounts } from './job-counts.js';
import { runJob, type RunningJob } from './run-job.js';
import { systemTimers, type Timers } from '../../core/timers.js';
import type { ServiceDeps } from '../service-deps.js';

/** The duration of a lease. Jobs of a crashed process become available after it. */
export const JOB_LEASE_MS = 60_000;
/** The interval at which the worker polls for due jobs. */
const POLL_MS = 1_000;
const DRAIN_MS = 10_000;
/** Most jobs wait for I/O; CPU-bound work limits itself (services/media/turns.ts). */
const CONCURRENCY = 8;

interface JobWorkerDeps<Payloads> extends Omit<ServiceDeps, 'queue'> {
  readonly log: StorageLog;
  readonly handlers: JobHandlers<Payloads>;
  readonly onDeadLetter?: DeadLetterHandler;
  /** Enqueued jobs wake the worker. */
  readonly queue?: Pick<JobQueue<Payloads>, 'onEnqueued'>;
  /** The number of jobs that run at once; 8 by default. */
  readonly concurrency?: number;
  readonly timers?: Timers;
  readonly random?: () => number;
}

/** Claims jobs and runs their handlers. Several workers in several processes may share a database. */
export type JobWorker = ReturnType<typeof createJobWorker>;

export function createJobWorker<Payloads>(deps: JobWorkerDeps<Payloads>) {
  const { log, timers = systemTimers } = deps;
  const running = new Set<RunningJob>();
  const counts = new JobCounts();
  let stopping: Promise<void> | undefined;
  let endRenewals: (() => void) | undefined;
  const takeDue = createTaker({ ...deps, counts }, running, () => loop.wake());
  const take = async (): Promise<number> => (loop.isStopped() ? 0 : takeDue());
  const loop = createLoop({
    work: async () => {
      while ((await take()) > 0);
    },
    onError: (err) => log.warn({ err }, 'jobs could not be claimed'),
    everyMs: POLL_MS,
    wokenBy: deps.queue && { listen: deps.queue.onEnqueued },
    timers,
  });

  const renewAll = (): void => {
    for (const job of running) void job.renew();
  };

  const drain = async (drainMs: number): Promise<void> => {
    endRenewals?.();
    await loop.stop();
    for (const job of running) job.stop();
    await endWithin(drainMs, running, timers);
    for (const job of running) {
      await job.release().catch((err: unknown) => log.warn({ err }, 'a job could not be released'));
    }
  };

  return {
    collect: counts.collect,
    /** Starts claiming jobs: on each enqueue and every second. */
    start: () => {
      endRenewals ??= timers.every(JOB_LEASE_MS / 3, renewAll);
      loop.start();
    },
    /** Runs due jobs until none is left, without `start`; for tests and commands. */
    runDue: async () => {
      while ((await take()) > 0 || running.size > 0) {
        await Promise.all([...running].map((job) => job.ended));
      }
    },
    /**
     * Stops claiming jobs and asks handlers to stop. Jobs that still run after `drainMs` (10 s) are released, so that
     * other workers can claim them at once. Idempotent.
     */
    stop: (drainMs = DRAIN_MS) => (stopping ??= drain(drainMs)),
  };
}

/**
 * Claims due jobs up to the concurrency limit; resolves to the number of candidates. Calls `onEnd` as each job ends.
 */
function createTaker<Payloads>(
  deps: JobWorkerDeps<Payloads> & { readonly counts: JobCounts },
  running: Set<RunningJob>,
  onEnd: () => void,
): () => Promise<number> {
  const { engine, ids, clock, log, onDeadLetter, counts } = deps;
  const { concurrency = CONCURRENCY, random = Math.random } = deps;
  const handlers = new Map(Object.entries<JobHandler<never> | undefined>(deps.handlers));
  const kinds = [...handlers.keys()];

  const begin = (job: ClaimedJob): void => {
    const handler = handlers.get(job.kind);
    if (!handler) return;
    const runs = { engine, clock, log, random, onDeadLetter, counts, leaseMs: JOB_LEASE_MS };
    const started = runJob(runs, job, handler);
    running.add(started);
    void started.ended.then(() => {
      running.delete(started);
      onEnd();
    });
  };

  return async () => {
    const limit = concurrency - running.size;
    const nowMs = clock();
    if (limit <= 0 || !(await hasDueJob(engine, kinds, nowMs))) return 0;
    const untilMs = nowMs + JOB_LEASE_MS;
    const claimed = await engine.tx('claim jobs', (tx) =>
      claimJobs(tx, { kinds, nowMs, untilMs, limit, nextToken: () => ids.next() }),
    );
    claimed.jobs.forEach(begin);
    return claimed.seen;
  };
}

/** Waits until the jobs have ended, for at most `limitMs`. */
async function endWithin(limitMs: number, running: ReadonlySet<RunningJob>, timers: Timers): Promise<void> {
  if (running.size === 0) return;
  const ended = Promise.all([...running].map((job) => job.ended));
  await new Promise<void>((resolve) => {
    const cancel = timers.after(limitMs, resolve);
    void ended.then(() => {
      cancel();
      resolve();
    });
  });
}
