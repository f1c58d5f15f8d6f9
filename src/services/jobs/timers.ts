/** The passing of time, injected so that tests decide it. Each gives back how to end it. */
export interface JobTimers {
  every(intervalMs: number, work: () => void): () => void;
  after(delayMs: number, work: () => void): () => void;
}

/** Real timers; they do not keep the process alive. */
export const systemTimers: JobTimers = {
  every: (intervalMs, work) => {
    const timer = setInterval(work, intervalMs).unref();
    return () => clearInterval(timer);
  },
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
