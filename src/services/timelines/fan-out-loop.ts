import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostId } from '../../core/ids.js';
import { createLoop } from '../../core/loop.js';
import type { Signal } from '../../core/signal.js';
import { fanOutPending, MAX_FAN_OUT_POSTS } from './fan-out.js';
import type { Engine } from '../../database/engine.js';
import { findPendingFanOut } from '../../stores/pending-fan-outs.js';
import type { StorageLog } from '../../database/storage-log.js';
import { systemTimers, type Timers } from '../../core/timers.js';

/** How often posts are looked for that other processes left when they ended, or that could not be written out. */
const POLL_MS = 1_000;

/** Between two transactions requests are served: those that wait, and twice those that clients send on their answers. */
const TURNS_FOR_OTHERS = 3;

/**
 * Writes new posts out to followers as they are made: many together when there are many. One that cannot be written out
 * is logged and left to the next look, and holds up no other.
 */
export interface FanOut {
  start(): void;
  /** Writes out all that is left; for tests and commands, without `start`. Throws at the end if a post was left behind. */
  runDue(): Promise<void>;
  /** Resolves when the transaction under way has ended; the rest stays for the next process. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

export function createFanOut(deps: {
  readonly engine: Engine;
  readonly log: StorageLog;
  readonly ordered: Signal;
  readonly timers?: Timers;
}): FanOut {
  const { engine, log, ordered, timers = systemTimers } = deps;
  const progress: Progress = { isStopped: () => loop.isStopped(), leftBehind: undefined };
  const loop = createLoop({
    work: () => writeOut(engine, progress),
    onError: (err) => log.warn({ err }, 'posts could not be written out; they will be tried again'),
    wokenBy: ordered,
    timers,
  });
  let endPolling: (() => void) | undefined;
  return {
    start: () => {
      endPolling ??= timers.every(POLL_MS, () => {
        progress.leftBehind = undefined;
        loop.wake();
      });
      loop.start();
    },
    runDue: () => {
      progress.leftBehind = undefined;
      return writeOut(engine, progress);
    },
    stop: () => {
      endPolling?.();
      return loop.stop();
    },
  };
}

interface Progress {
  readonly isStopped: () => boolean;
  /** The last post that could not be written out since the last look: nothing up to it is tried before the next. */
  leftBehind: PostId | undefined;
}

/** Goes on behind each post that cannot be written out; throws for the first of them at the end. */
async function writeOut(engine: Engine, progress: Progress): Promise<void> {
  let failure: Error | undefined;
  let size = MAX_FAN_OUT_POSTS;
  let areMoreLeft = false;
  while (!progress.isStopped()) {
    // The read first: an idle process does not write.
    if (!areMoreLeft && (await findPendingFanOut(engine, progress.leftBehind)) === undefined) break;
    try {
      areMoreLeft = await fanOutPending(engine, progress.leftBehind, size);
      size = Math.min(2 * size, MAX_FAN_OUT_POSTS);
    } catch (cause) {
      areMoreLeft = false;
      // Of several that share a transaction, any one may have failed it.
      const failed = size === 1 ? await findPendingFanOut(engine, progress.leftBehind) : undefined;
      if (failed !== undefined) {
        failure ??= new Error(`post ${failed} could not be written out`, { cause });
        progress.leftBehind = failed;
      }
      size = 1;
    }
    for (let turn = 0; turn < TURNS_FOR_OTHERS; turn += 1) await nextTurn();
  }
  if (failure) throw failure;
}
