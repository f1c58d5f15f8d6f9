import { setTimeout as pause } from 'node:timers/promises';
import { Conflict } from './driver-errors.js';

const MAX_PAUSE_MS = 50;

/** Runs work when earlier work in the queue has ended (keyed-queue.ts). */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs `work` until it meets no conflict. After `limitMs` throws the last Conflict, which is a StorageUnavailable;
 * throws other errors immediately.
 *
 * Of several conflicting transactions one commits and the others did useless work; with many, all would time out. So
 * after a conflict, work continues in `queue`, which runs one attempt at a time: each attempt either commits or fails
 * because another transaction committed. Waiting in the queue counts toward the limit and holds no locks.
 */
export async function retryConflicts<T>(work: () => Promise<T>, limitMs: number, queue?: Queue): Promise<T> {
  const untilMs = performance.now() + limitMs;
  try {
    return await (queue ? work() : retryUntil(work, untilMs));
  } catch (error) {
    if (!queue || !canRetry(error, untilMs)) throw error;
    return runQueued(queue, () => retryUntil(work, untilMs), untilMs, error);
  }
}

/** Runs `work` in the queue. Rejects with `error` if it has not started by `untilMs`; then it never starts. */
function runQueued<T>(queue: Queue, work: () => Promise<T>, untilMs: number, error: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(error);
    }, untilMs - performance.now());
    const turn = queue(() => {
      clearTimeout(timer);
      if (isLate) throw error;
      return work();
    });
    turn.then(resolve, reject);
  });
}

async function retryUntil<T>(work: () => Promise<T>, untilMs: number): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!canRetry(error, untilMs)) throw error;
    }
    // A random, growing pause keeps conflicting transactions from meeting again.
    await pause(Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS));
  }
}

function canRetry(error: unknown, untilMs: number): boolean {
  return error instanceof Conflict && performance.now() < untilMs;
}
