/** Counts running work, so that closing can wait for it. */
export function createDrain() {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
    /** Resolves when no work is running. */
    idle: async (): Promise<void> => {
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
