import { setTimeout as pause } from 'node:timers/promises';
import { Conflict } from './driver-errors.js';

const LONGEST_PAUSE_MS = 50;

/** Runs work when its turn comes (keyed-queue.ts). */
export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs `work` until no other transaction gets in its way. After `limitMs` the last Conflict, which is a
 * StorageUnavailable, is thrown; other errors at once.
 *
 * Of those who meet, one comes through and the others have worked for nothing: with many at once all would use up their
 * time. So who lost goes on in `lane`, where one tries at a time; it takes the loser at once when nobody is in it. Each of
 * its tries brings one through, or fails because another came through. Waiting there counts toward the limit and holds
 * nothing.
 */
export async function retryConflicts<T>(work: () => Promise<T>, limitMs: number, lane?: Lane): Promise<T> {
  const untilMs = performance.now() + limitMs;
  try {
    return await (lane ? work() : tryOften(work, untilMs));
  } catch (error) {
    if (!lane || !mayTryAgain(error, untilMs)) throw error;
    return inTurn(lane, () => tryOften(work, untilMs), untilMs, error);
  }
}

/** Rejects with `error` when the turn has not come by `untilMs`; the work is not begun then. */
function inTurn<T>(lane: Lane, work: () => Promise<T>, untilMs: number, error: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(error);
    }, untilMs - performance.now());
    const turn = lane(() => {
      clearTimeout(timer);
      if (isLate) throw error;
      return work();
    });
    turn.then(resolve, reject);
  });
}

async function tryOften<T>(work: () => Promise<T>, untilMs: number): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayTryAgain(error, untilMs)) throw error;
    }
    // Those who met should not meet again: they wait for different times, longer at each try.
    await pause(Math.random() * Math.min(2 ** tries, LONGEST_PAUSE_MS));
  }
}

function mayTryAgain(error: unknown, untilMs: number): boolean {
  return error instanceof Conflict && performance.now() < untilMs;
}
