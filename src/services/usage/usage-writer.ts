import type { AppId, PostId } from '../../core/ids.js';
import { usageDay } from '../../core/usage-period.js';
import type { Engine } from '../../database/engine.js';
import { countUsage, deleteUsagePostsBefore } from '../../stores/usage.js';
import type { ServiceDeps } from '../service-deps.js';

export interface UsageWriterDeps extends Pick<ServiceDeps, 'engine' | 'clock'> {
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

/** The unwritten usage of an app on one day: the posts it received, and its requests. */
export interface UsageBatch {
  readonly appId: AppId;
  /** `usageDay`. */
  readonly day: number;
  readonly postIds: ReadonlySet<string>;
  readonly requests: number;
}

/** The number of posts remembered per app. Beyond it, the database removes duplicates. */
const MAX_SEEN = 100_000;

/** Returns the post ids of a batch. */
export function postIdsOf({ postIds }: UsageBatch): PostId[] {
  return [...postIds].map((id) => BigInt(id) as PostId);
}

interface WaitingBatch extends UsageBatch {
  readonly postIds: Set<string>;
  requests: number;
}

/** Creates a buffer of usage until it is written to the database. */
export function createUsageBuffer() {
  const seen = new Map<AppId, { day: number; ids: Set<string> }>();
  const sizes = new Map<AppId, number>();
  let waiting = new Map<string, WaitingBatch>();

  const seenOn = (appId: AppId, day: number): Set<string> => {
    const known = seen.get(appId);
    if (known?.day === day && known.ids.size < MAX_SEEN) return known.ids;
    const ids = new Set<string>();
    seen.set(appId, { day, ids });
    return ids;
  };
  const waitingOf = (appId: AppId, day: number): WaitingBatch => {
    const key = `${appId} ${day}`;
    const known = waiting.get(key);
    if (known) return known;
    const batch = { appId, day, postIds: new Set<string>(), requests: 0 };
    waiting.set(key, batch);
    return batch;
  };
  const addToSize = (appId: AppId, by: number): void => {
    sizes.set(appId, (sizes.get(appId) ?? 0) + by);
  };

  return {
    /** Counts a request of the app on that day. */
    addRequest: (appId: AppId, day: number) => {
      waitingOf(appId, day).requests += 1;
    },
    /**
     * Adds the posts that the app did not receive before on that day; returns false when there are none. The check is
     * best effort.
     */
    add: (appId: AppId, day: number, postIds: readonly string[]) => {
      const known = seenOn(appId, day);
      const fresh = new Set(postIds.filter((id) => !known.has(id)));
      if (fresh.size === 0) return false;
      const batch = waitingOf(appId, day).postIds;
      const before = batch.size;
      for (const id of fresh) {
        known.add(id);
        batch.add(id);
      }
      addToSize(appId, batch.size - before);
      return true;
    },
    /** Returns the number of the app's posts that are not `written` yet. */
    size: (appId: AppId) => sizes.get(appId) ?? 0,
    /** Returns the batches added since; each must then be passed to `written` or `putBack`. */
    take: () => {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    written: ({ appId, postIds }: UsageBatch) => addToSize(appId, -postIds.size),
    putBack: ({ appId, day, postIds, requests }: UsageBatch) => {
      const batch = waitingOf(appId, day);
      batch.requests += requests;
      const before = batch.postIds.size;
      for (const id of postIds) batch.postIds.add(id);
      // Some of the posts may have been added again since.
      addToSize(appId, batch.postIds.size - before - postIds.size);
    },
  };
}
