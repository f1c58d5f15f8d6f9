import type { RateWindow } from '../rate-windows.js';
import type { WindowTally } from './tally.js';

/** The tolerated clock difference of two processes, on different machines or after a pause. */
const CLOCK_SKEW_MS = 5_000;

/** Creates the counts of other processes, by the digest of the key. */
export function createReceivedWindows() {
  const received = new Map<string, Map<string, RateWindow>>();
  return {
    isEmpty: () => received.size === 0,
    /** Returns the sum of the others' calls in running windows, with the earliest end. */
    find: (digest: string, windowMs: number, nowMs: number) => {
      let found: RateWindow | undefined;
      for (const window of received.get(digest)?.values() ?? []) {
        if (isRunning(window, windowMs, nowMs)) found = joined(found, window);
      }
      return found;
    },
    /** Sets the current count of a process in a window. */
    set: (sender: string, { digest, used, endsMs }: WindowTally, nowMs: number) => {
      if (endsMs <= nowMs) return;
      const windows = received.get(digest) ?? new Map<string, RateWindow>();
      received.set(digest, windows.set(sender, { used, endsMs }));
    },
    /** Returns all counts by process. */
    bySender: () => {
      const all = new Map<string, WindowTally[]>();
      for (const [digest, windows] of received) {
        for (const [sender, window] of windows) {
          const tallies = all.get(sender) ?? [];
          tallies.push({ digest, ...window });
          all.set(sender, tallies);
        }
      }
      return all;
    },
    /** Removes windows that have ended. */
    sweep: (nowMs: number) => {
      for (const [digest, windows] of received) {
        for (const [sender, { endsMs }] of windows) if (endsMs <= nowMs) windows.delete(sender);
        if (windows.size === 0) received.delete(digest);
      }
    },
  };
}

/** Returns the sum of the calls in both windows, with the earlier end. */
export function joined(some: RateWindow | undefined, others: RateWindow | undefined): RateWindow | undefined {
  if (!some || !others) return some ?? others;
  return { used: some.used + others.used, endsMs: Math.min(some.endsMs, others.endsMs) };
}

function isRunning({ endsMs }: RateWindow, windowMs: number, nowMs: number): boolean {
  return endsMs > nowMs && endsMs <= nowMs + windowMs + CLOCK_SKEW_MS;
}
