import type { Clock } from '../core/clock.js';
import { PipitError } from '../core/errors.js';
import type { RateLimitMode } from './rate-limit.js';
import type { RateWindowStore } from './rate-windows.js';

/** The length of the windows in which attempts are counted. */
export const ATTEMPT_WINDOW_SECONDS = 900;

/** Attempts that one address may make in a window. */
export const ADDRESS_LIMITS = {
  /** Pages of posts and profiles, looked at without signing in. */
  pages: 300,
  /** Forms of sign-up and of new passwords by link: each hashes a password. */
  passwordForms: 20,
} as const;

const WINDOW_MS = ATTEMPT_WINDOW_SECONDS * 1000;

/** A key under which attempts are counted, and how many of them are allowed in a window. */
export interface AttemptLimit {
  readonly key: string;
  readonly limit: number;
}

/** Counts an attempt of an address. Throws `rate-limited` after too many. */
export type AddressLimit = (address: string) => void;

/**
 * Counts an attempt under each key. Throws `rate-limited` when one of the keys is used up. With several workers, each lets
 * through up to the limit of a burst (docs/behaviour.md#several-processes).
 */
export function countAttempt(windows: RateWindowStore, limits: readonly AttemptLimit[], nowMs: number): void {
  const full = limits.flatMap(({ key, limit }) => {
    const window = windows.find(key, WINDOW_MS, nowMs);
    return window && window.used >= limit ? [window.endsMs] : [];
  });
  if (full.length > 0) throw new PipitError({ code: 'rate-limited', retryAtMs: Math.max(...full) });
  for (const { key } of limits) windows.count(key, WINDOW_MS, nowMs);
}

/** Takes back an attempt that this process counted. */
export function uncountAttempt(
  windows: RateWindowStore,
  limits: readonly AttemptLimit[],
  nowMs: number,
): void {
  for (const { key } of limits) windows.uncount(key, WINDOW_MS, nowMs);
}

/** Returns `limit` under a mode: a number multiplies it, `off` makes it infinite. It is at least 1. */
export function scaleLimit(limit: number, mode: RateLimitMode): number {
  if (mode === 'off') return Infinity;
  return Math.max(1, Math.floor(limit * (mode === 'standard' ? 1 : mode)));
}

/** Limits what one address may do. `action` begins the keys, so it differs from limit to limit. */
export function createAddressLimit(
  { windows, clock }: { readonly windows: RateWindowStore; readonly clock: Clock },
  action: string,
  limit: number,
): AddressLimit {
  if (limit === Infinity) return () => undefined;
  return (address) => countAttempt(windows, [{ key: `${action} from ${address}`, limit }], clock());
}
