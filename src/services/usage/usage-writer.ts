import type { Clock } from '../../core/clock.js';
import type { AppId } from '../../core/ids.js';
import { usageDay } from '../../core/usage-period.js';
import type { Engine } from '../../database/engine.js';
import { countUsage, deleteUsagePostsBefore } from '../../stores/usage.js';
import { createUsageBuffer, postIdsOf, type UsageBatch } from './usage-buffer.js';

export interface UsageWriterDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
  /** Called after an app's usage was written. */
  onWritten(appId: AppId): void;
}

const FLUSH_MS = 1_000;

/** The number of posts of earlier days deleted per batch. */
const FORGOTTEN_AT_ONCE = 10_000;

/** Creates a writer that writes usage to the database with a delay. */
export function createUsageWriter({ engine, clock, log, onWritten }: UsageWriterDeps) {
  const buffer = createUsageBuffer();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  };
  const writeOne = async (batch: UsageBatch): Promise<void> => {
    try {
      await write(engine, batch, usageDay(clock()));
      buffer.written(batch);
      onWritten(batch.appId);
    } catch (error) {
      log.error({ err: error }, 'usage could not be written; it will be retried');
      buffer.putBack(batch);
      schedule();
    }
  };
  const writeAll = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const batch of buffer.take()) await writeOne(batch);
  };
  // Flushes run one after another, so that a report waits for a running flush.
  const flush = (): Promise<void> => (flushing = flushing.then(writeAll));

  return {
    /** Counts a request of an app. */
    addRequest: (appId: AppId) => {
      buffer.addRequest(appId, usageDay(clock()));
      schedule();
    },
    /** Counts posts that an app received, by their ids. */
    add: (appId: AppId, postIds: readonly string[]) => {
      if (buffer.add(appId, usageDay(clock()), postIds)) schedule();
    },
    /** Returns the number of an app's posts that are not written yet. */
    size: (appId: AppId) => buffer.size(appId),
    /** Writes everything now. Never rejects: usage that cannot be written is retried later. */
    flush,
    /** Flushes for the last time. */
    close: async () => {
      await flush();
      clearTimeout(timer);
    },
  };
}

/** Safe under read-committed: `countUsage` counts the rows it inserts, and nothing else deletes them. */
async function write(engine: Engine, batch: UsageBatch, today: number): Promise<void> {
  const { appId, day, requests } = batch;
  await engine.tx(
    'count usage',
    async (tx) => {
      await countUsage(tx, { appId, day, postIds: postIdsOf(batch), requests });
      await deleteUsagePostsBefore(tx, appId, today - 1, FORGOTTEN_AT_ONCE);
    },
    'read-committed',
  );
}
