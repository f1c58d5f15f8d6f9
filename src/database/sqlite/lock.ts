import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { StorageUnavailable } from '../errors.js';
import { Busy } from './driver-errors.js';

export type Lock = ReturnType<typeof createLock>;

interface Waiter {
  readonly untilMs: number;
  grant(): void;
  refuse(error: Error): void;
}

/** Creates a mutex for one event loop: it runs one piece of work at a time, first come, first served. */
export function createLock() {
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
    /**
     * Runs `work` after all earlier work has ended. Throws StorageUnavailable if that takes longer than `limitMs`.
     */
    run: async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
      await acquire(limitMs);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Another process usually commits within a turn or two of the event loop, so the first retries do not sleep. */
const EAGER_TRIES = 4;
const MAX_PAUSE_MS = 10;

/**
 * Runs `work` until it meets no lock of another connection, without blocking the event loop. After `limitMs` throws
 * the last `Busy`, which is a StorageUnavailable; throws other errors immediately.
 */
export async function retryWhileBusy<T>(work: () => Promise<T> | T, limitMs: number): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Busy) || performance.now() >= untilMs) throw error;
    }
    await pauseAfter(tries);
  }
}

async function pauseAfter(tries: number): Promise<void> {
  if (tries <= EAGER_TRIES) return nextTurn();
  // A random pause keeps waiting processes from retrying in step.
  const longest = Math.min(tries - EAGER_TRIES, MAX_PAUSE_MS);
  await pause(1 + Math.random() * longest);
}
