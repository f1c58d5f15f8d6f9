import { performance } from 'node:perf_hooks';
import { createLoop } from '../../core/loop.js';
import { indexAllPending, tidyIndex } from './index-posts.js';
import type { Engine } from '../../database/engine.js';
import type { StorageLog } from '../../database/storage-log.js';
import type { Timers } from '../../core/timers.js';

/**
 * The interval at which new posts are indexed in batches; a longer interval merges fewer segments of the index. Search
 * shows posts only ten seconds after creation. Searches index missing posts themselves (`catchUpIndex` in
 * services/search/index-posts.ts).
 */
const INTERVAL_MS = 5_000;

/** The number of maintenance steps per run; other writers proceed between them. */
const TIDY_STEPS = 20;

/** Creates the loop that indexes new posts. */
export function createSearchIndexing(deps: {
  readonly engine: Engine;
  readonly log: StorageLog;
  readonly timers?: Timers;
}) {
  const { engine, log, timers } = deps;
  let mayBeUntidy = true;
  let completeAtMs = performance.now();
  const work = async (): Promise<void> => {
    mayBeUntidy = (await indexAllPending(engine, loop.isStopped)) || mayBeUntidy;
    completeAtMs = performance.now();
    for (let step = 0; step < TIDY_STEPS && mayBeUntidy && !loop.isStopped(); step += 1) {
      mayBeUntidy = await tidyIndex(engine);
    }
  };
  const loop = createLoop({
    work,
    onError: (err) => log.warn({ err }, 'new posts could not be indexed; they will be retried'),
    everyMs: INTERVAL_MS,
    timers,
  });
  return {
    start: loop.start,
    /** Indexes all pending posts and merges what is untidy, without `start`. */
    runDue: async () => {
      await indexAllPending(engine, loop.isStopped);
      while (!loop.isStopped() && (await tidyIndex(engine)));
    },
    /** Resolves when the current run has ended. Idempotent. */
    stop: loop.stop,
    /** Returns the time since this process last found the index complete, in milliseconds. */
    ageMs: () => performance.now() - completeAtMs,
  };
}
