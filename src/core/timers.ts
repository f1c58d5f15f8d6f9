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
