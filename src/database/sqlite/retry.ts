import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Busy } from './driver-errors.js';

/** How long work waits for a lock of its own or another process before it fails. */
export const BUSY_LIMIT_MS = 5_000;

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
