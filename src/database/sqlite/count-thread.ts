import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SNOWFLAKE_EPOCH_MS } from '../../core/snowflake.js';
import { StorageUnavailable } from '../errors.js';
import type { SearchCounter } from '../search-counter.js';
import type { StorageLog } from '../storage-log.js';
import { matchOf } from './search.js';

/** Counts matches off the event loop, one question after the other. */
export interface CountThread extends SearchCounter {
  close(): Promise<void>;
}

interface Answer {
  readonly counts?: number[];
  readonly error?: string;
}

/** The heap of a thread that goes through rows one by one; the rest of its memory is SQLite's. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Starts the thread with the first question, again after it failed; it does not keep the process running. */
export function createCountThread(file: string, log: StorageLog): CountThread {
  let worker: Worker | undefined;
  /** Who waits, in the order of asking: so the answers come. */
  let waiting: ((answer: Answer) => void)[] = [];

  const start = (): Worker => {
    const started = new Worker(new URL('./count-worker.js', import.meta.url), {
      workerData: { file },
      resourceLimits: HEAP_LIMITS,
    });
    started.unref();
    started.on('message', (answer: Answer) => waiting.shift()?.(answer));
    started.on('error', (err) => log.warn({ err }, 'the thread that counts failed'));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const left = waiting;
      waiting = [];
      for (const settle of left) settle({ error: 'the thread ended' });
    });
    return started;
  };

  return {
    countByTime: async (selection, { above, upTo }, edgesMs) => {
      worker ??= start();
      const answered = new Promise<Answer>((resolve) => waiting.push(resolve));
      const edges = Float64Array.from(edgesMs, (edgeMs) => edgeMs - SNOWFLAKE_EPOCH_MS);
      worker.postMessage({ match: matchOf(selection), above, upTo, edges });
      const { counts, error } = await answered;
      if (counts === undefined) throw new StorageUnavailable(`matches cannot be counted: ${error}`);
      return counts;
    },
    close: async () => {
      const ending = worker;
      if (!ending) return;
      ending.ref();
      const exit = once(ending, 'exit');
      ending.postMessage('close');
      await exit;
    },
  };
}
