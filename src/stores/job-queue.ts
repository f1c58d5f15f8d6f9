import type { Clock } from '../core/clock.js';
import type { JobId } from '../core/ids.js';
import type { JobPayloads } from '../core/jobs.js';
import { createSignal } from '../core/signal.js';
import type { IdSource } from '../core/snowflake.js';
import type { Tx } from '../database/engine.js';
import { insertJob } from './jobs.js';

/** With exponential backoff of up to an hour (services/jobs/backoff.ts), half a day of tries. */
const DEFAULT_MAX_ATTEMPTS = 20;

/** A job to be enqueued. */
interface JobOrder<Payloads, Kind extends keyof Payloads> {
  readonly kind: Kind;
  readonly payload: Payloads[Kind];
  /** Not before; at once when absent. */
  readonly runAtMs?: number;
  /** Makes this order do nothing while an earlier job with the same key has not begun. */
  readonly uniqueKey?: string;
  readonly maxAttempts?: number;
}

/** Where services leave work that follows from what they write. */
export interface JobQueue<Payloads = JobPayloads> {
  /**
   * Stores a job in the transaction whose effect it is: they are committed together or not at all. The job runs at least
   * once. False when a job with the same unique key waits to begin.
   */
  enqueue<Kind extends keyof Payloads & string>(tx: Tx, order: JobOrder<Payloads, Kind>): Promise<boolean>;
  /** Tells of jobs that this process enqueued, once they are committed; gives back how to end that. */
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
      if (isNew) tx.afterCommit(enqueued.tell);
      return isNew;
    },
    onEnqueued: enqueued.listen,
  };
}
