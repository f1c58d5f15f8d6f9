import { hash } from 'node:crypto';
import type { WindowTally } from './tally.js';

const DIGEST_BYTES = 16;

/** What this process counted in a window: its part of what it counts together with its crew. */
interface OwnCount extends CountedWindow {
  readonly digest: string;
  used: number;
}

/** A window in which this process counts. */
interface CountedWindow {
  readonly key: string;
  readonly windowMs: number;
  endsMs: number;
}

/** The windows in which this process counted, and which of them the others do not know as they are. */
export interface OwnCounts {
  /** Of any key; without work for one that is counted. */
  digestOf(key: string): string;
  /** The window counted last under a digest. */
  ofDigest(digest: string): CountedWindow | undefined;
  /** Counts a call in a window; true when it is the first of it. */
  add(window: CountedWindow, nowMs: number): boolean;
  /** Takes back a call, in the window that runs. */
  takeBack(key: string, nowMs: number): void;
  /** Lets the window that runs end no later than `latestMs`. */
  endBy(key: string, nowMs: number, latestMs: number): void;
  /** See `ExchangedWindows`, as for the others. */
  takePending(limit: number): WindowTally[];
  retell(): void;
  discardPending(): void;
  sweep(nowMs: number): void;
}

export function createOwnCounts(): OwnCounts {
  const counts = new Map<string, OwnCount>();
  const byDigest = new Map<string, OwnCount>();
  const untold = new Set<OwnCount>();
  const begin = (window: CountedWindow): void => {
    const begun = { ...window, digest: digestOf(window.key), used: 1 };
    counts.set(begun.key, begun);
    byDigest.set(begun.digest, begun);
    untold.add(begun);
  };
  /** Changes the window that runs; false when none does. */
  const change = (key: string, nowMs: number, calls: number, latestMs: number): boolean => {
    const count = counts.get(key);
    if (!count || count.endsMs <= nowMs) return false;
    // Who told what did not change would be answered with the same, for ever.
    if (calls === 0 && count.endsMs <= latestMs) return true;
    count.used += calls;
    count.endsMs = Math.min(count.endsMs, latestMs);
    untold.add(count);
    return true;
  };
  return {
    digestOf: (key) => counts.get(key)?.digest ?? digestOf(key),
    ofDigest: (digest) => byDigest.get(digest),
    add: (window, nowMs) => {
      const isRunning = change(window.key, nowMs, 1, window.endsMs);
      if (!isRunning) begin(window);
      return !isRunning;
    },
    takeBack: (key, nowMs) => void change(key, nowMs, -1, Infinity),
    endBy: (key, nowMs, latestMs) => void change(key, nowMs, 0, latestMs),
    takePending: (limit) => {
      const taken: WindowTally[] = [];
      for (const count of untold) {
        if (taken.length === limit) break;
        untold.delete(count);
        taken.push({ key: count.digest, used: count.used, endsMs: count.endsMs });
      }
      return taken;
    },
    retell: () => {
      for (const count of counts.values()) untold.add(count);
    },
    discardPending: () => untold.clear(),
    sweep: (nowMs) => {
      for (const { key, digest, endsMs } of counts.values()) {
        if (endsMs > nowMs) continue;
        counts.delete(key);
        byDigest.delete(digest);
      }
    },
  };
}

function digestOf(key: string): string {
  return hash('sha256', key, 'buffer').toString('base64url', 0, DIGEST_BYTES);
}
