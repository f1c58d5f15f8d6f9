/** Timers, injected so that tests control time. Each method returns a function that cancels the timer. */
export interface Timers {
  every(intervalMs: number, work: () => void): () => void;
  after(delayMs: number, work: () => void): () => void;
}

/** Real timers; they do not keep the process alive. */
export const systemTimers: Timers = {
  every: (intervalMs, work) => {
    const timer = setInterval(work, intervalMs).unref();
    return () => clearInterval(timer);
  },
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/** Returns a function that runs `work` after a delay; calls before that run share it. */
export function delayed(work: () => void, delayMs: () => number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    timer = undefined;
    work();
  };
  return () => {
    timer ??= setTimeout(run, delayMs()).unref();
  };
}
