/** Counts what is under way, so that closing can wait for its end. */
export interface Drain {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export function createDrain(): Drain {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        if (underWay === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
    idle: async () => {
      if (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
