import { hash } from 'node:crypto';

/** A running window: its calls so far, and its end. */
export interface RateWindow {
  readonly used: number;
  readonly endsMs: number;
}

/** Counts calls in windows: of this process only, or also of others (`exchange/exchanged-windows.ts`). */
export interface RateWindowStore {
  /** Returns the running window of `key`, if any. `windowMs` must be the same in all calls for a key. */
  find(key: string, windowMs: number, nowMs: number): RateWindow | undefined;
  /** Counts one call, in a new window if none runs. Returns the window including this call. */
  count(key: string, windowMs: number, nowMs: number): RateWindow;
  /** Reverts a call that this process counted. */
  uncount(key: string, windowMs: number, nowMs: number): void;
  /** Sets the calls of this process in a window, a new one if none runs. */
  set(key: string, windowMs: number, used: number, nowMs: number): void;
  /** Ends all windows. */
  clear(): void;
  /** Returns the keys of the windows of this process that run. */
  keys(nowMs: number): string[];
}

/** A window in which this process counted; mutable. */
export interface CountedWindow {
  /** Represents the key outside of this process, since keys contain addresses and names. */
  readonly digest: string;
  readonly windowMs: number;
  used: number;
  endsMs: number;
}

/** Each call removes up to this many ended windows: more than it adds, which bounds memory by the running windows. */
const SWEPT_PER_CALL = 2;

const DIGEST_BYTES = 16;

/**
 * Creates windows in memory, grouped by length. Windows of one length end in the order of their start, which is the
 * order of a Map: ended ones are at its front.
 */
export function createMemoryWindows() {
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
  const begin = (key: string, windowMs: number, used: number, nowMs: number) => {
    const windows = ofLength(windowMs);
    const begun = { digest: digestOfKey(key), windowMs, used, endsMs: nowMs + windowMs };
    // Deleting first moves the new window to the end of the Map.
    windows.delete(key);
    windows.set(key, begun);
    return begun;
  };
  return {
    size: () => [...byLength.values()].reduce((sum, windows) => sum + windows.size, 0),
    find: findRunning,
    count: (key: string, windowMs: number, nowMs: number) => {
      sweepFront(ofLength(windowMs), windowMs, nowMs);
      const running = findRunning(key, windowMs, nowMs);
      if (running) {
        running.used += 1;
        return running;
      }
      return begin(key, windowMs, 1, nowMs);
    },
    set: (key: string, windowMs: number, used: number, nowMs: number) => {
      const running = findRunning(key, windowMs, nowMs);
      if (!running) return begin(key, windowMs, used, nowMs);
      running.used = used;
      return running;
    },
    clear: () => byLength.clear(),
    keys: (nowMs: number) =>
      [...byLength].flatMap(([windowMs, windows]) =>
        [...windows].flatMap(([key, window]) => (isRunning(window, windowMs, nowMs) ? [key] : [])),
      ),
    /** Returns the window that now has one call less; undefined if none runs. */
    uncount: (key: string, windowMs: number, nowMs: number) => {
      const running = findRunning(key, windowMs, nowMs);
      if (running) running.used -= 1;
      return running;
    },
  };
}

/** Returns the 128-bit digest of a key; collisions are not expected. */
export function digestOfKey(key: string): string {
  return hash('sha256', key, 'buffer').toString('base64url', 0, DIGEST_BYTES);
}

/** Returns true if a window runs. A clock that steps back must not extend a window beyond its length. */
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
