import type { Timers } from '../../../src/core/timers.js';

/** Timers that tests advance. */
export function manualTimers() {
  const pending = new Set<{ dueMs: number; everyMs?: number; work: () => void }>();
  let nowMs = 0;
  const add = (delayMs: number, work: () => void, everyMs?: number) => {
    const timer = { dueMs: nowMs + delayMs, everyMs, work };
    pending.add(timer);
    return () => void pending.delete(timer);
  };
  const timers: Timers = {
    every: (intervalMs, work) => add(intervalMs, work, intervalMs),
    after: (delayMs, work) => add(delayMs, work),
  };
  const advance = (ms: number): void => {
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      nowMs += 1_000;
      for (const timer of pending) {
        if (timer.dueMs > nowMs) continue;
        if (timer.everyMs === undefined) pending.delete(timer);
        else timer.dueMs += timer.everyMs;
        timer.work();
      }
    }
  };
  return { timers, advance, pending };
}
