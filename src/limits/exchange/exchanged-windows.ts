import {
  createMemoryWindows,
  digestOfKey,
  type CountedWindow,
  type RateWindowStore,
} from '../rate-windows.js';
import { createReceivedWindows, joined } from './received-windows.js';
import type { WindowTally } from './tally.js';

/** Windows that count the calls of this process and, with a delay, the calls published by other processes. */
export interface ExchangedWindows extends RateWindowStore {
  /** Returns the windows in which this process counted. */
  own(): Iterable<CountedWindow>;
  /** Sets the current counts of another process. */
  receive(sender: string, tallies: readonly WindowTally[], nowMs: number): void;
  /** Removes windows that have ended. */
  sweep(nowMs: number): void;
}

/**
 * Creates the windows of this process and of others; `onChange` is called when a window of this process changes. If
 * several processes start a window of the same key, it ends with the earliest of them after they received each
 * other's.
 */
export function createExchangedWindows(onChange: (window: CountedWindow) => void): ExchangedWindows {
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
    own: () => byDigest.values(),
    receive: (sender, tallies, nowMs) => {
      for (const tally of tallies) {
        received.set(sender, tally, nowMs);
        const own = byDigest.get(tally.digest);
        if (own) endTogether(own, nowMs);
      }
    },
    sweep: (nowMs) => {
      for (const [digest, { endsMs }] of byDigest) if (endsMs <= nowMs) byDigest.delete(digest);
      received.sweep(nowMs);
    },
    find: (key, windowMs, nowMs) => {
      const own = counted.find(key, windowMs, nowMs);
      if (received.isEmpty()) return own;
      return joined(own, received.find(own?.digest ?? digestOfKey(key), windowMs, nowMs));
    },
    count: (key, windowMs, nowMs) => {
      const own = counted.count(key, windowMs, nowMs);
      if (own.used === 1 && byDigest.get(own.digest) !== own) {
        byDigest.set(own.digest, own);
        endTogether(own, nowMs);
      }
      onChange(own);
      return joined(own, received.find(own.digest, windowMs, nowMs)) ?? own;
    },
    uncount: (key, windowMs, nowMs) => {
      const own = counted.uncount(key, windowMs, nowMs);
      if (own) onChange(own);
    },
  };
}
