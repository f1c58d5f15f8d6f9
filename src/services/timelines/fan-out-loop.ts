import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostId } from '../../core/ids.js';
import { createLoop, type Signal } from '../../core/loop.js';
import { fanOut, MAX_FAN_OUT_POSTS, planFanOut } from './fan-out.js';
import type { Engine } from '../../database/engine.js';
import { AlreadyExists } from '../../database/errors.js';
import type { FanOutStep } from '../../stores/pending-fan-outs.js';
import type { StorageLog } from '../../database/storage-log.js';
import { systemTimers, type Timers } from '../../core/timers.js';

/**
 * The interval between runs, unless many posts are waiting; also for posts that other processes left behind or that
 * failed. The longer, the more posts share the database page of a timeline. Readers find waiting posts anyway.
 */
const POLL_MS = 5_000;

/** Event loop turns between two transactions, so that waiting requests are served. */
const TURNS_FOR_OTHERS = 3;

/**
 * Fans out new posts to followers' home timelines: at each poll, and when a batch of posts is waiting. A post that
 * fails is logged and retried at the next poll; it does not block others.
 */
export function createFanOut(deps: {
  readonly engine: Engine;
  readonly log: StorageLog;
  readonly ordered: Signal;
  readonly timers?: Timers;
}) {
  const { engine, log, ordered, timers = systemTimers } = deps;
  const progress: Progress = { isStopped: () => loop.isStopped(), leftBehind: undefined };
  let waiting = 0;
  const loop = createLoop({
    work: () => {
      waiting = 0;
      return fanOutAll(engine, progress, 'served');
    },
    onError: (err) => log.warn({ err }, 'posts could not be fanned out; they will be retried'),
    wokenBy: {
      listen: (wake) =>
        ordered.listen(() => {
          waiting += 1;
          if (waiting >= MAX_FAN_OUT_POSTS) wake();
        }),
    },
    timers,
  });
  let endPolling: (() => void) | undefined;
  return {
    start: (): void => {
      endPolling ??= timers.every(POLL_MS, () => {
        progress.leftBehind = undefined;
        loop.wake();
      });
      loop.start();
    },
    /** Fans out all pending posts, without `start`; for tests and commands. Throws at the end if a post failed. */
    runDue: (): Promise<void> => {
      progress.leftBehind = undefined;
      return fanOutAll(engine, progress, 'empty');
    },
    /** Resolves after the current transaction; the next process continues with the rest. Idempotent. */
    stop: (): Promise<void> => {
      endPolling?.();
      return loop.stop();
    },
  };
}

interface Progress {
  readonly isStopped: () => boolean;
  /** The last post that failed since the last poll. Posts up to it are not retried before the next poll. */
  leftBehind: PostId | undefined;
}

/** Continues after failed posts; throws the first failure. `served`: ends after those that were pending at first. */
async function fanOutAll(engine: Engine, progress: Progress, until: 'served' | 'empty'): Promise<void> {
  let failure: Error | undefined;
  let size = MAX_FAN_OUT_POSTS;
  while (!progress.isStopped()) {
    // Reads first, so that an idle process does not write.
    const { steps, isFull } = await planFanOut(engine, progress.leftBehind, size);
    const [first] = steps;
    if (!first) break;
    try {
      const isServed = await runSteps(engine, steps, progress);
      if (until === 'served' && !(isServed && isFull)) break;
      size = Math.min(2 * size, MAX_FAN_OUT_POSTS);
    } catch (cause) {
      // Any post of the batch may have caused the failure, so they are retried one by one.
      if (size === 1) {
        failure ??= new Error(`post ${first.upTo} could not be fanned out`, { cause });
        progress.leftBehind = first.upTo;
      }
      size = 1;
    }
  }
  if (failure) throw failure;
}

/** Returns false if the loop was stopped, or another process was faster with a step: that one goes on. */
async function runSteps(engine: Engine, steps: readonly FanOutStep[], progress: Progress): Promise<boolean> {
  for (const step of steps) {
    if (progress.isStopped()) return false;
    const isServed = await fanOut(engine, step).catch((error: unknown) => {
      // A follow or a build was faster with an entry. The second attempt sees it.
      if (error instanceof AlreadyExists) return fanOut(engine, step);
      throw error;
    });
    if (!isServed) return false;
    for (let turn = 0; turn < TURNS_FOR_OTHERS; turn += 1) await nextTurn();
  }
  return true;
}
