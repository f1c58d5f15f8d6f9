import { StorageUnavailable } from '../errors.js';

/** A mutex: runs one piece of work at a time, first come, first served. */
export interface Lock {
  /**
   * Runs `work` after all earlier work has ended. Throws StorageUnavailable if that takes longer than
   * `limitMs`.
   */
  run<T>(limitMs: number, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  readonly untilMs: number;
  grant(): void;
  refuse(error: Error): void;
}

/** Creates a lock for the work of one event loop. */
export function createLock(): Lock {
  let queue: Waiter[] = [];
  let isHeld = false;
  let watchdog: NodeJS.Timeout | undefined;

  /** One timer for all waiters: hanging work must not block them forever. */
  const watch = (): void => {
    const [first] = queue;
    if (watchdog || first === undefined || first.untilMs === Infinity) return;
    watchdog = setTimeout(
      () => {
        watchdog = undefined;
        refuseOverdue();
        watch();
      },
      Math.max(1, first.untilMs - performance.now()),
    );
    watchdog.unref();
  };

  const refuseOverdue = (): void => {
    const nowMs = performance.now();
    const overdue = queue.filter((waiter) => waiter.untilMs <= nowMs);
    queue = queue.filter((waiter) => waiter.untilMs > nowMs);
    for (const waiter of overdue) waiter.refuse(new StorageUnavailable('timed out waiting for the writer'));
  };

  const acquire = async (limitMs: number): Promise<void> => {
    if (!isHeld) {
      isHeld = true;
      return;
    }
    await new Promise<void>((grant, refuse) => {
      queue.push({ untilMs: performance.now() + limitMs, grant, refuse });
      watch();
    });
  };

  const release = (): void => {
    const next = queue.shift();
    if (next) next.grant();
    else isHeld = false;
  };

  return {
    run: async (limitMs, work) => {
      await acquire(limitMs);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
