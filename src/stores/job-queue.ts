import type { Clock } from '../core/clock.js';
import type { JobId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import { createSignal } from '../core/loop.js';
import type { IdSource } from '../core/snowflake.js';
import type { Tx } from '../database/engine.js';
import { insertJob } from './jobs.js';

/** With exponential backoff of up to an hour (services/jobs/backoff.ts), about half a day of attempts. */
const DEFAULT_MAX_ATTEMPTS = 20;

/** A job to enqueue. */
interface JobOrder<Payloads, Kind extends keyof Payloads> {
  readonly kind: Kind;
  readonly payload: Payloads[Kind];
  /** The earliest time to run; immediately if absent. */
  readonly runAtMs?: number;
  /** `enqueue` does nothing while an earlier job with the same key has not started. */
  readonly uniqueKey?: string;
  readonly maxAttempts?: number;
}

/** Takes the background work that follows from a write. */
export interface JobQueue<Payloads = JobPayloads> {
  /**
   * Stores a job in the caller's transaction: both commit together or not at all. The job runs at least once. Returns
   * false if a job with the same unique key has not started yet.
   */
  enqueue<Kind extends keyof Payloads & string>(tx: Tx, order: JobOrder<Payloads, Kind>): Promise<boolean>;
  /** Calls `listener` when jobs enqueued by this process are committed. Returns a function that unsubscribes. */
  onEnqueued(listener: () => void): () => void;
}

export function createJobQueue<Payloads = JobPayloads>(deps: {
  readonly ids: IdSource;
  readonly clock: Clock;
}): JobQueue<Payloads> {
  const enqueued = createSignal();
  return {
    enqueue: async (tx, order) => {
      const nowMs = deps.clock();
      const isNew = await insertJob(tx, {
        id: deps.ids.next<JobId>(),
        kind: order.kind,
        payload: order.payload,
        uniqueKey: order.uniqueKey,
        createdAtMs: nowMs,
        runAtMs: order.runAtMs ?? nowMs,
        maxAttempts: order.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      });
      if (isNew) tx.afterCommit(enqueued.notify);
      return isNew;
    },
    onEnqueued: enqueued.listen,
  };
}
