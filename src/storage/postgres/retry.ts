import { setTimeout as pause } from 'node:timers/promises';
import { Conflict } from './driver-errors.js';

const LONGEST_PAUSE_MS = 50;

/**
 * Runs `work` until no other transaction gets in its way. After `limitMs` the last Conflict, which is a
 * StorageUnavailable, is thrown; other errors at once.
 */
export async function retryConflicts<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Conflict) || performance.now() >= untilMs) throw error;
    }
    // Those who met should not meet again: they wait for different times, longer at each try.
    await pause(Math.random() * Math.min(2 ** tries, LONGEST_PAUSE_MS));
  }
}
