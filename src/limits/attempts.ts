import type { Clock } from '../core/clock.js';
import { PipitError } from '../core/errors.js';
import type { RateLimitMode } from './rate-limit.js';
import type { RateWindowStore } from './rate-windows.js';

/** The length of the windows in which attempts are counted. */
export const ATTEMPT_WINDOW_SECONDS = 900;

/** The number of attempts per address and window. */
export const ADDRESS_LIMITS = {
  /** Views of posts and profiles without a session. */
  pages: 300,
  /** Sign-up and password-reset forms, each of which hashes a password. */
  passwordForms: 20,
} as const;

const WINDOW_MS = ATTEMPT_WINDOW_SECONDS * 1000;

/** A key under which attempts are counted, and the limit per window. */
export interface AttemptLimit {
  readonly key: string;
  readonly limit: number;
}

/** Counts an attempt from an address. Throws `rate-limited` above the limit. */
export type AddressLimit = (address: string) => void;

/**
 * Counts an attempt under each key. Throws `rate-limited` if any key has reached its limit. With several workers,
 * each may allow a burst up to the limit (docs/behaviour.md#several-processes).
 */
export function countAttempt(windows: RateWindowStore, limits: readonly AttemptLimit[], nowMs: number): void {
  const full = limits.flatMap(({ key, limit }) => {
    const window = windows.find(key, WINDOW_MS, nowMs);
    return window && window.used >= limit ? [window.endsMs] : [];
  });
  if (full.length > 0) throw new PipitError({ code: 'rate-limited', retryAtMs: Math.max(...full) });
  for (const { key } of limits) windows.count(key, WINDOW_MS, nowMs);
}

/** Reverts an attempt that this process counted. */
export function uncountAttempt(
  windows: RateWindowStore,
  limits: readonly AttemptLimit[],
  nowMs: number,
): void {
  for (const { key } of limits) windows.uncount(key, WINDOW_MS, nowMs);
}

/** Returns `limit` in a mode: a number multiplies it, `off` makes it infinite. The result is at least 1. */
export function scaleLimit(limit: number, mode: RateLimitMode): number {
  if (mode === 'off') return Infinity;
  return Math.max(1, Math.floor(limit * (mode === 'standard' ? 1 : mode)));
}

/** Creates a limit per address. Keys start with `action`, which must be unique per limit. */
export function createAddressLimit(
  { windows, clock }: { readonly windows: RateWindowStore; readonly clock: Clock },
  action: string,
  limit: number,
): AddressLimit {
  if (limit === Infinity) return () => undefined;
  return (address) => countAttempt(windows, [{ key: `${action} from ${address}`, limit }], clock());
}
