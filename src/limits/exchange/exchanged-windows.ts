import { createMemoryWindows, digestOfKey, type CountedWindow, type RateWindow } from '../rate-windows.js';
import type { WindowTally } from './tally.js';

/**
 * Creates windows that count the calls of this process and, with a delay, those published by other processes;
 * `onChange` is called when a window of this process changes. If several processes start a window of the same key, it
 * ends with the earliest of them after they received each other's.
 */
export function createExchangedWindows(onChange: (window: CountedWindow) => void) {
  const counted = createMemoryWindows();
  const byDigest = new Map<string, CountedWindow>();
  const received = createReceivedWindows();

  const endTogether = (window: CountedWindow, nowMs: number): void => {
    const others = received.find(window.digest, window.windowMs, nowMs);
    // Publishes only changes: otherwise two processes would reply to each other forever.
    if (!others || others.endsMs >= window.endsMs) return;
    window.endsMs = others.endsMs;
    onChange(window);
  };

  return {
    /** Returns the windows in which this process counted. */
    own: () => byDigest.values(),
    /** Sets the current counts of another process. */
    receive: (sender: string, tallies: readonly WindowTally[], nowMs: number) => {
      for (const tally of tallies) {
        received.set(sender, tally, nowMs);
        const own = byDigest.get(tally.digest);
        if (own) endTogether(own, nowMs);
      }
    },
    /** Removes windows that have ended. */
    sweep: (nowMs: number) => {
      for (const [digest, { endsMs }] of byDigest) if (endsMs <= nowMs) byDigest.delete(digest);
      received.sweep(nowMs);
    },
    find: (key: string, windowMs: number, nowMs: number) => {
      const own = counted.find(key, windowMs, nowMs);
      if (received.isEmpty()) return own;
      return joined(own, received.find(own?.digest ?? digestOfKey(key), windowMs, nowMs));
    },
    count: (key: string, windowMs: number, nowMs: number): RateWindow => {
      const own = counted.count(key, windowMs, nowMs);
      if (own.used === 1 && byDigest.get(own.digest) !== own) {
        byDigest.set(own.digest, own);
        endTogether(own, nowMs);
      }
      onChange(own);
      return joined(own, received.find(own.digest, windowMs, nowMs)) ?? own;
    },
    set: (key: string, windowMs: number, used: number, nowMs: number) => {
      const own = counted.set(key, windowMs, used, nowMs);
      byDigest.set(own.digest, own);
      onChange(own);
    },
    clear: () => {
      for (const own of byDigest.values()) {
        own.used = 0;
        onChange(own);
      }
      byDigest.clear();
      counted.clear();
    },
    keys: counted.keys,
    uncount: (key: string, windowMs: number, nowMs: number) => {
      const own = counted.uncount(key, windowMs, nowMs);
      if (own) onChange(own);
    },
  };
}

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
function joined(some: RateWindow | undefined, others: RateWindow | undefined): RateWindow | undefined {
  if (!some || !others) return some ?? others;
  return { used: some.used + others.used, endsMs: Math.min(some.endsMs, others.endsMs) };
}

function isRunning({ endsMs }: RateWindow, windowMs: number, nowMs: number): boolean {
  return endsMs > nowMs && endsMs <= nowMs + windowMs + CLOCK_SKEW_MS;
}
