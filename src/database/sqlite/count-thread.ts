import { SNOWFLAKE_EPOCH_MS } from '../../core/snowflake.js';
import { StorageUnavailable } from '../errors.js';
import type { SearchCounter } from '../search-counter.js';
import type { StorageLog } from '../storage-log.js';
import { matchOf } from './search.js';
import { createThread } from './thread.js';

interface Question {
  readonly match: string;
  readonly above: bigint;
  readonly upTo: bigint;
  /** In milliseconds since the snowflake epoch. */
  readonly edges: Float64Array;
}

interface Reply {
  readonly counts?: number[];
  readonly error?: string;
}

/** The heap limits of a thread that reads rows one by one; its other memory is SQLite's. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Counts matches on another thread, one request at a time. */
export function createCountThread(
  file: string,
  log: StorageLog,
): SearchCounter & { close: () => Promise<void> } {
  const script = new URL('./count-worker.js', import.meta.url);
  const thread = createThread<Question, Reply>({ script, file, resourceLimits: HEAP_LIMITS, log });
  return {
    countByTime: async (selection, { above, upTo }, edgesMs) => {
      const edges = Float64Array.from(edgesMs, (edgeMs) => edgeMs - SNOWFLAKE_EPOCH_MS);
      const reply = await thread.ask({ match: matchOf(selection), above, upTo, edges });
      const { counts, error = 'the thread ended' } = reply ?? {};
      if (counts === undefined) throw new StorageUnavailable(`matches cannot be counted: ${error}`);
      return counts;
    },
    close: thread.close,
  };
}
