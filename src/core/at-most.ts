/**
 * Runs at most `limit` tasks at once and queues the others in order. When `maxWaiting` tasks are queued, calls
 * `refuse`, which throws.
 */
export function createAtMost(
  limit: number,
  maxWaiting = Infinity,
  refuse: () => void = () => undefined,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit && waiting.length >= maxWaiting) refuse();
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
