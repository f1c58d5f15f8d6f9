import { performance } from 'node:perf_hooks';
import { createLoop } from '../../core/loop.js';
import { indexAllPending, tidyIndex } from './index-posts.js';
import type { Engine } from '../../database/engine.js';
import type { StorageLog } from '../../database/storage-log.js';
import type { Timers } from '../../core/timers.js';

/**
 * How often new posts are brought into the search index, many at once: much sooner than search may show them, ten
 * seconds after they were made. Searches do not rely on it (services/search/index-posts.ts, `catchUpIndex`).
 */
const INTERVAL_MS = 1_000;

/** Upkeep of each time, when posts were indexed: others write in between. */
const TIDY_STEPS = 20;

export interface SearchIndexing {
  start(): void;
  /** How long ago this process last found every post in the index. */
  ageMs(): number;
  /** Resolves when what is under way has ended. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

export function createSearchIndexing(deps: {
  readonly engine: Engine;
  readonly log: StorageLog;
  readonly timers?: Timers;
}): SearchIndexing {
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
    onError: (err) => log.warn({ err }, 'new posts could not be indexed; they will be tried again'),
    everyMs: INTERVAL_MS,
    timers,
  });
  return { start: loop.start, stop: loop.stop, ageMs: () => performance.now() - completeAtMs };
}
