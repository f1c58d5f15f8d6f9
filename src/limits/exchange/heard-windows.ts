import type { ServerId } from '../../core/ids.js';
import { CLOCK_SKEW_MS, type RateWindow } from '../rate-windows.js';
import type { WindowTally } from './tally.js';

/** What other servers told, by the digest of the key. */
export interface HeardWindows {
  isEmpty(): boolean;
  /** All calls of the others in windows that run, until the first of these ends. */
  find(digest: string, windowMs: number, nowMs: number): RateWindow | undefined;
  /** Takes in what a server counted up to now, in place of what it told before. */
  add(server: ServerId, tally: WindowTally, nowMs: number): void;
  /** Forgets what has ended. */
  sweep(nowMs: number): void;
}

export function createHeardWindows(): HeardWindows {
  const heard = new Map<string, Map<ServerId, RateWindow>>();
  return {
    isEmpty: () => heard.size === 0,
    find: (digest, windowMs, nowMs) => {
      let found: RateWindow | undefined;
      for (const window of heard.get(digest)?.values() ?? []) {
        if (isRunning(window, windowMs, nowMs)) found = joined(found, window);
      }
      return found;
    },
    add: (server, { key, used, endsMs }, nowMs) => {
      if (endsMs <= nowMs) return;
      const windows = heard.get(key) ?? new Map<ServerId, RateWindow>();
      heard.set(key, windows.set(server, { used, endsMs }));
    },
    sweep: (nowMs) => {
      for (const [key, windows] of heard) {
        for (const [server, { endsMs }] of windows) if (endsMs <= nowMs) windows.delete(server);
        if (windows.size === 0) heard.delete(key);
      }
    },
  };
}

/** Calls in one or both, until the first of them ends. */
export function joined(some: RateWindow | undefined, others: RateWindow | undefined): RateWindow | undefined {
  if (!some || !others) return some ?? others;
  return { used: some.used + others.used, endsMs: Math.min(some.endsMs, others.endsMs) };
}

/** The clocks of machines differ. */
function isRunning({ endsMs }: RateWindow, windowMs: number, nowMs: number): boolean {
  return endsMs > nowMs && endsMs <= nowMs + windowMs + CLOCK_SKEW_MS;
}
