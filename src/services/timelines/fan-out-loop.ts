import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostId } from '../../core/ids.js';
import { createLoop, type Signal } from '../../core/loop.js';
import { fanOutPending, MAX_FAN_OUT_POSTS } from './fan-out.js';
import type { Engine } from '../../database/engine.js';
import { findPendingFanOut } from '../../stores/pending-fan-outs.js';
import type { StorageLog } from '../../database/storage-log.js';
import { systemTimers, type Timers } from '../../core/timers.js';

/** The interval at which posts are retried that other processes left behind or that failed. */
const POLL_MS = 1_000;

/** Event loop turns between two transactions, so that waiting requests are served. */
const TURNS_FOR_OTHERS = 3;

/**
 * Fans out new posts to followers' home timelines, in batches. A post that fails is logged and retried at the next
 * poll; it does not block others.
 */
export function createFanOut(deps: {
  readonly engine: Engine;
  readonly log: StorageLog;
  readonly ordered: Signal;
  readonly timers?: Timers;
}) {
  const { engine, log, ordered, timers = systemTimers } = deps;
  const progress: Progress = { isStopped: () => loop.isStopped(), leftBehind: undefined };
  const loop = createLoop({
    work: () => fanOutAll(engine, progress),
    onError: (err) => log.warn({ err }, 'posts could not be fanned out; they will be retried'),
    wokenBy: ordered,
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
      return fanOutAll(engine, progress);
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

/** Continues after each failed post; throws the first failure at the end. */
async function fanOutAll(engine: Engine, progress: Progress): Promise<void> {
  let failure: Error | undefined;
  let size = MAX_FAN_OUT_POSTS;
  let areMoreLeft = false;
  while (!progress.isStopped()) {
    // Reads first, so that an idle process does not write.
    if (!areMoreLeft && (await findPendingFanOut(engine, progress.leftBehind)) === undefined) break;
    try {
      areMoreLeft = await fanOutPending(engine, progress.leftBehind, size);
      size = Math.min(2 * size, MAX_FAN_OUT_POSTS);
    } catch (cause) {
      areMoreLeft = false;
      // Any post of the batch may have caused the failure, so they are retried one by one.
      const failed = size === 1 ? await findPendingFanOut(engine, progress.leftBehind) : undefined;
      if (failed !== undefined) {
        failure ??= new Error(`post ${failed} could not be fanned out`, { cause });
        progress.leftBehind = failed;
      }
      size = 1;
    }
    for (let turn = 0; turn < TURNS_FOR_OTHERS; turn += 1) await nextTurn();
  }
  if (failure) throw failure;
}
