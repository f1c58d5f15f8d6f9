import { systemTimers, type Timers } from './timers.js';

/** Notifies listeners in this process, such as loops. */
export interface Signal {
  notify(): void;
  /** Adds a listener; returns a function that removes it. */
  listen(listener: () => void): () => void;
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    notify: () => {
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
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

/** Creates work that repeats in the background, one run at a time. */
export function createLoop({ work, onError, everyMs, wokenBy, timers = systemTimers }: LoopOptions) {
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
    /** Starts the loop and its first run. Idempotent. */
    start: () => {
      if (state !== 'new') return;
      state = 'started';
      if (everyMs !== undefined) endings.push(timers.every(everyMs, wake));
      if (wokenBy) endings.push(wokenBy.listen(wake));
      wake();
    },
    /** Starts a run, or another run after the current one. Does nothing unless the loop is started. */
    wake,
    /** Stops the loop and waits for the current run. Idempotent. */
    stop: async () => {
      state = 'stopped';
      for (const end of endings.splice(0)) end();
      await running;
    },
    /** Reports whether `stop` was called; long runs check it between their steps. */
    isStopped: () => state === 'stopped',
  };
}
