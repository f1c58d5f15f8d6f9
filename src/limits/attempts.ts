import type { Clock } from '../core/clock.js';
import { PipitError } from '../core/errors.js';
import type { AppId } from '../core/ids.js';
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

/** The store of windows and its clock. */
interface CountedIn {
  readonly windows: RateWindowStore;
  readonly clock: Clock;
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
  { windows, clock }: CountedIn,
  action: string,
  limit: number,
): AddressLimit {
  if (limit === Infinity) return () => undefined;
  return (address) => countAttempt(windows, [{ key: `${action} from ${address}`, limit }], clock());
}

/**
 * The limits per 15 minutes of the OAuth 1.0a legs that need no user. A site requests one request token per sign-in,
 * all from one address.
 */
const LEG_LIMITS = {
  /** `POST /oauth/request_token` from one address, including failed calls. */
  requestsFromAddress: 1_500,
  /** Request tokens of one app, from any address. */
  issuedToApp: 3_000,
  /** `POST /oauth/access_token` from one address, including failed calls. */
  exchangesFromAddress: 1_500,
} as const;

/** Counts calls; each method throws `rate-limited` above its limit. */
export type LegLimits = ReturnType<typeof createLegLimits>;

/** Creates the limits in a mode, as for all rate limits: a number multiplies them, `off` disables them. */
export function createLegLimits({ windows, clock, mode }: CountedIn & { readonly mode: RateLimitMode }) {
  const count = (key: string, limit: number): void => {
    if (mode !== 'off') countAttempt(windows, [{ key, limit: scaleLimit(limit, mode) }], clock());
  };
  return {
    countRequest: (address: string) =>
      count(`request tokens from ${address}`, LEG_LIMITS.requestsFromAddress),
    countIssued: (appId: AppId) => count(`request tokens of ${appId}`, LEG_LIMITS.issuedToApp),
    countExchange: (address: string) =>
      count(`access tokens from ${address}`, LEG_LIMITS.exchangesFromAddress),
  };
}
