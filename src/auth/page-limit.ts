import type { Clock } from '../core/clock.js';
import { PipitError } from '../core/errors.js';
import type { RateWindowStore } from './rate-windows.js';

/** How many pages of posts and profiles one address may look at without signing in, within a window. */
export const PAGE_LIMIT = { windowSeconds: 900, address: 300 } as const;

/** Counts a look at a page from an address. Throws `rate-limited` after too many. */
export type PageLimit = (address: string) => void;

export interface PageLimitDeps {
  readonly windows: RateWindowStore;
  readonly clock: Clock;
  /** As for the interface: pages are no way around its limits. */
  readonly mode: 'standard' | 'off' | number;
}

export function createPageLimit({ windows, clock, mode }: PageLimitDeps): PageLimit {
  if (mode === 'off') return () => undefined;
  const limit = Math.max(1, Math.floor(PAGE_LIMIT.address * (mode === 'standard' ? 1 : mode)));
  const windowMs = PAGE_LIMIT.windowSeconds * 1000;
  return (address) => {
    const key = `pages to ${address}`;
    const running = windows.find(key, windowMs, clock());
    if (running && running.used >= limit)
      throw new PipitError({ code: 'rate-limited', retryAtMs: running.endsMs });
    windows.count(key, windowMs, clock());
  };
}
