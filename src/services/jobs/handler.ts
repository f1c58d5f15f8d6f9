import type { JobId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import type { ClaimedJob } from '../../stores/jobs.js';

/** The job was taken by another worker, or deleted: whatever this one still does to it is undone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(jobId: JobId) {
    super(`the lease of job ${jobId} was lost`);
  }
}

/** The worker stops: a handler that throws this (`signal.throwIfAborted()`) gives its job back untouched. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
}

/** What a handler works with. */
export interface JobRun<Payload> {
  readonly jobId: JobId;
  readonly payload: Payload;
  /** 1 at the first try of this payload. */
  readonly attempt: number;
  /** When the lease ends if it is not renewed, which the worker does in time as long as the event loop turns. */
  readonly deadlineMs: number;
  /** Aborted with WorkerStopping or LeaseLost. */
  readonly signal: AbortSignal;
  /** Renews the lease now; for work that does not let the event loop turn. Throws LeaseLost. */
  heartbeat(): Promise<void>;
  /**
   * Ends the job in the handler's own transaction: what else it writes there is done exactly once, also after `kill -9`.
   * Throws LeaseLost, and then nothing of the transaction may be committed.
   */
  completeIn(tx: Tx): Promise<void>;
  /** Like `completeIn`, but the job goes on with another payload: at once, or not before `runAtMs`. */
  continueWith(tx: Tx, payload: Payload, runAtMs?: number): Promise<void>;
}

/**
 * Does one job, or one chunk of it. A handler that ends without `completeIn` and `continueWith` is done as well, but may
 * then run again after a crash; one that throws is tried again later. After `completeIn` or `continueWith` it ends.
 */
export type JobHandler<Payload> = (run: JobRun<Payload>) => Promise<void>;

/**
 * What is done about a job that is dead: whoever waits for it is told that nothing will come. It runs in the transaction
 * in which the job dies, whichever way its last attempt ended.
 */
export type DeadLetterHandler = (tx: Tx, job: Pick<ClaimedJob, 'kind' | 'payload'>) => Promise<void>;

/** Handlers by kind. Jobs of kinds that are not here are left to other processes. */
export type JobHandlers<Payloads> = {
  readonly [Kind in keyof Payloads]?: JobHandler<Payloads[Kind]>;
};
