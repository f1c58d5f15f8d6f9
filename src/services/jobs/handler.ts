import type { JobId } from '../../core/ids.js';
import type { Tx } from '../../database/engine.js';
import type { ClaimedJob } from '../../stores/jobs.js';
import { NamedError } from '../../core/named-error.js';

/** Thrown when another worker claimed the job or the job was deleted. The current transaction must roll back. */
export class LeaseLost extends NamedError {
  constructor(jobId: JobId) {
    super(`the lease of job ${jobId} was lost`);
  }
}

/** The abort reason when the worker stops. A handler that throws it (`signal.throwIfAborted()`) releases its job. */
export class WorkerStopping extends NamedError {}

/** The arguments of a handler. */
export interface JobRun<Payload> {
  readonly jobId: JobId;
  readonly payload: Payload;
  /** 1 for the first attempt with this payload. */
  readonly attempt: number;
  /** The expiry of the lease. The worker renews the lease as long as the event loop is not blocked. */
  readonly deadlineMs: number;
  /** Aborted with WorkerStopping or LeaseLost. */
  readonly signal: AbortSignal;
  /** Renews the lease now, for work that blocks the event loop. Throws LeaseLost. */
  heartbeat(): Promise<void>;
  /**
   * Completes the job inside the handler's own transaction, so that its writes happen exactly once, even after `kill
   * -9`. Throws LeaseLost; the transaction must then roll back.
   */
  completeIn(tx: Tx): Promise<void>;
  /** Like `completeIn`, but reschedules the job with another payload: now, or at `runAtMs`. */
  continueWith(tx: Tx, payload: Payload, runAtMs?: number): Promise<void>;
}

/**
 * Runs one job, or one chunk of it. A handler that returns without `completeIn` or `continueWith` completes the job,
 * but may run again after a crash. A job whose handler throws is retried. A handler must return after either call.
 */
export type JobHandler<Payload> = (run: JobRun<Payload>) => Promise<void>;

/** Reports the failure of a dead job to its waiting clients. Runs in the transaction that marks the job dead. */
export type DeadLetterHandler = (tx: Tx, job: Pick<ClaimedJob, 'kind' | 'payload'>) => Promise<void>;

/** Handlers by kind. Jobs of other kinds are left to other processes. */
export type JobHandlers<Payloads> = {
  readonly [Kind in keyof Payloads]?: JobHandler<Payloads[Kind]>;
};
