import type { Signal } from './signal.js';
import { systemTimers, type Timers } from './timers.js';

/** Work that repeats in the background, one run at a time. */
export interface Loop {
  /** Starts the loop and its first run. Idempotent. */
  start(): void;
  /** Starts a run, or another run after the current one. Does nothing unless the loop is started. */
  wake(): void;
  /** Stops the loop and waits for the current run. Idempotent. */
  stop(): Promise<void>;
  /** Reports whether `stop` was called; long runs check it between their steps. */
  isStopped(): boolean;
}

export interface LoopOptions {
  /** Performs one run. */
  work(): Promise<unknown>;
  /** Receives the errors of runs; the loop continues. */
  onError(error: unknown): void;
  /** The interval between runs; without it, only `wake` and `wokenBy` start runs. */
  readonly everyMs?: number;
  readonly wokenBy?: Pick<Signal, 'listen'>;
  readonly timers?: Timers;
}

export function createLoop({ work, onError, everyMs, wokenBy, timers = systemTimers }: LoopOptions): Loop {
  const endings: (() => void)[] = [];
  let state: 'new' | 'started' | 'stopped' = 'new';
  let running: Promise<unknown> | undefined;
  let isWokenAgain = false;

  const wake = (): void => {
    isWokenAgain = running !== undefined;
    if (state !== 'started' || running) return;
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined;
        if (isWokenAgain) wake();
      });
  };
  return {
    start: () => {
      if (state !== 'new') return;
      state = 'started';
      if (everyMs !== undefined) endings.push(timers.every(everyMs, wake));
      if (wokenBy) endings.push(wokenBy.listen(wake));
      wake();
    },
    wake,
    stop: async () => {
      state = 'stopped';
      for (const end of endings.splice(0)) end();
      await running;
    },
    isStopped: () => state === 'stopped',
  };
}
