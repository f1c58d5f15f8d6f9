/** Counts running work, so that closing can wait for it. */
export interface Drain {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
}

export function createDrain(): Drain {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    run: async (work) => {
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
    idle: async () => {
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
