/** A running window: calls counted in it so far, and when it ends. */
export interface RateWindow {
  readonly used: number;
  readonly endsMs: number;
}

/** Where windows are counted: in this process's memory, or by several processes together (`rate-windows-shared.ts`). */
export interface RateWindowStore {
  /** The window of `key` that runs now; undefined when none does. A key always comes with the same `windowMs`. */
  find(key: string, windowMs: number, nowMs: number): RateWindow | undefined;
  /** As `find`, but while fewer than `limit` calls were seen the last time, it may tell those: whoever counts sees all. */
  peek(key: string, windowMs: number, nowMs: number, limit: number): RateWindow | undefined;
  /**
   * Counts one call, in a new window when none runs. The window returned has this call in it, and every call that any
   * process had counted before.
   */
  count(key: string, windowMs: number, nowMs: number): RateWindow;
  /** Takes back a call that this process counted. */
  uncount(key: string, windowMs: number, nowMs: number): void;
  /** Lets a window in which this process counted end no later than `latestMs`. */
  endBy(key: string, windowMs: number, nowMs: number, latestMs: number): void;
}

/** How far the clock readings that windows of one key began with may lie apart: of processes held up, or other machines. */
export const CLOCK_SKEW_MS = 5_000;

/** Each call removes at most so many ended windows: more than it adds, so memory follows the windows that run. */
const SWEPT_PER_CALL = 2;

/**
 * Windows in this process's memory, by length. Those of one length end in the order in which they began, which is the
 * order of a Map: ended ones are found at its front.
 */
export function createMemoryWindows(): RateWindowStore & { size(): number } {
  const byLength = new Map<number, Map<string, { used: number; endsMs: number }>>();
  const ofLength = (windowMs: number) => {
    const known = byLength.get(windowMs);
    if (known) return known;
    const created = new Map<string, { used: number; endsMs: number }>();
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
    peek: findRunning,
    count: (key, windowMs, nowMs) => {
      const windows = ofLength(windowMs);
      sweepFront(windows, windowMs, nowMs);
      const running = findRunning(key, windowMs, nowMs);
      if (running) {
        running.used += 1;
        return running;
      }
      const begun = { used: 1, endsMs: nowMs + windowMs };
      // Deleting first puts the new window at the back of the Map.
      windows.delete(key);
      windows.set(key, begun);
      return begun;
    },
    uncount: (key, windowMs, nowMs) => {
      const running = findRunning(key, windowMs, nowMs);
      if (running) running.used -= 1;
    },
    endBy: (key, windowMs, nowMs, latestMs) => {
      const running = findRunning(key, windowMs, nowMs);
      if (running) running.endsMs = Math.min(running.endsMs, latestMs);
    },
  };
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
