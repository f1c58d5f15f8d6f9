import type { Signal } from '../core/signal.js';
import { fanOutPending } from '../services/timelines/fan-out.js';
import type { Engine } from '../storage/engine.js';
import { hasPendingFanOut } from '../storage/pending-fan-outs.js';
import type { StorageLog } from '../storage/storage-log.js';
import { systemTimers, type JobTimers } from './timers.js';

/** How often posts are looked for that other processes left when they ended. */
const POLL_MS = 1_000;

/** Writes new posts out to followers as they are made: many together when there are many. */
export interface FanOut {
  start(): void;
  /** Writes out all that is left; for tests and commands, without `start`. */
  runDue(): Promise<void>;
  /** Resolves when the transaction under way has ended; the rest stays for the next process. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

export function createFanOut(deps: {
  readonly engine: Engine;
  readonly log: StorageLog;
  readonly ordered: Signal;
  readonly timers?: JobTimers;
}): FanOut {
  const { engine, log, ordered, timers = systemTimers } = deps;
  const endings: (() => void)[] = [];
  let isStopped = false;
  let running: Promise<void> | undefined;
  let isWokenAgain = false;

  const runDue = async (): Promise<void> => {
    // The read first: an idle process does not write.
    while (!isStopped && (await hasPendingFanOut(engine))) await fanOutPending(engine);
  };
  const wake = (): void => {
    isWokenAgain = running !== undefined;
    if (isStopped || running) return;
    running = runDue()
      .catch((err: unknown) => log.warn({ err }, 'posts could not be written out; they will be tried again'))
      .finally(() => {
        running = undefined;
        if (isWokenAgain) wake();
      });
  };
  return {
    start: () => {
      if (endings.length > 0) return;
      endings.push(timers.every(POLL_MS, wake), ordered.listen(wake));
      wake();
    },
    runDue,
    stop: async () => {
      isStopped = true;
      for (const end of endings) end();
      await running;
    },
  };
}
