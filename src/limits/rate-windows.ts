import { hash } from 'node:crypto';

/** A running window: calls counted in it so far, and when it ends. */
export interface RateWindow {
  readonly used: number;
  readonly endsMs: number;
}

/** Counts calls in windows: of this process alone, or also of others (`exchange/exchanged-windows.ts`). */
export interface RateWindowStore {
  /** Returns the window of `key` that runs now; undefined when none does. A key always comes with the same `windowMs`. */
  find(key: string, windowMs: number, nowMs: number): RateWindow | undefined;
  /** Counts one call, in a new window when none runs. Returns the window with this call in it. */
  count(key: string, windowMs: number, nowMs: number): RateWindow;
  /** Takes back a call that this process counted. */
  uncount(key: string, windowMs: number, nowMs: number): void;
}

/** A window in which this process counted. It changes with each call. */
export interface CountedWindow {
  /** Stands for the key outside of this process: keys contain addresses and names. */
  readonly digest: string;
  readonly windowMs: number;
  used: number;
  endsMs: number;
}

/** Windows in the memory of this process. */
export interface MemoryWindows {
  find(key: string, windowMs: number, nowMs: number): CountedWindow | undefined;
  count(key: string, windowMs: number, nowMs: number): CountedWindow;
  /** Returns the window that now has one call less; undefined when none runs. */
  uncount(key: string, windowMs: number, nowMs: number): CountedWindow | undefined;
  size(): number;
}

/** Each call removes at most so many ended windows: more than it adds, so memory follows the windows that run. */
const SWEPT_PER_CALL = 2;

const DIGEST_BYTES = 16;

/**
 * Creates windows in memory, kept by length. Those of one length end in the order in which they began, which is the
 * order of a Map: ended ones are found at its front.
 */
export function createMemoryWindows(): MemoryWindows {
  const byLength = new Map<number, Map<string, CountedWindow>>();
  const ofLength = (windowMs: number) => {
    const known = byLength.get(windowMs);
    if (known) return known;
    const created = new Map<string, CountedWindow>();
    byLength.set(windowMs, created);
    return created;
  };
  const findRunning = (key: string, windowMs: number, nowMs: number) => {
    const window = byLength.get(windowMs)?.get(key);
    return window && isRunning(window, windowMs, nowMs) ? window : undefined;
  };
  return {
    size: () => [...byLength.values()].reduce((sum, windows) => sum + windows.size, 0),
    find: findRunning,
    count: (key, windowMs, nowMs) => {
      const windows = ofLength(windowMs);
      sweepFront(windows, windowMs, nowMs);
      const running = findRunning(key, windowMs, nowMs);
      if (running) {
        running.used += 1;
        return running;
      }
      const begun = { digest: digestOfKey(key), windowMs, used: 1, endsMs: nowMs + windowMs };
      // Deleting first puts the new window at the back of the Map.
      windows.delete(key);
      windows.set(key, begun);
      return begun;
    },
    uncount: (key, windowMs, nowMs) => {
      const running = findRunning(key, windowMs, nowMs);
      if (running) running.used -= 1;
      return running;
    },
  };
}

/** Returns the digest of a key: 128 bits, so no two keys share one. */
export function digestOfKey(key: string): string {
  return hash('sha256', key, 'buffer').toString('base64url', 0, DIGEST_BYTES);
}

/** A clock that steps back must not stretch a window beyond its length. */
function isRunning({ endsMs }: RateWindow, windowMs: number, nowMs: number): boolean {
  return endsMs > nowMs && endsMs <= nowMs + windowMs;
}

function sweepFront(windows: Map<string, RateWindow>, windowMs: number, nowMs: number): void {
  let left = SWEPT_PER_CALL;
  for (const [key, window] of windows) {
    if (left === 0 || isRunning(window, windowMs, nowMs)) return;
    windows.delete(key);
    left -= 1;
  }
}
