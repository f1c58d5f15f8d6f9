import type { Clock } from '../core/clock.js';
import type { AppId } from '../core/ids.js';
import { countAttempt, scaleLimit } from './attempts.js';
import type { RateLimitMode } from './rate-limit.js';
import type { RateWindowStore } from './rate-windows.js';

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

export interface LegLimitsDeps {
  readonly windows: RateWindowStore;
  readonly clock: Clock;
  readonly mode: RateLimitMode;
}

/** Creates the limits in a mode, as for all rate limits: a number multiplies them, `off` disables them. */
export function createLegLimits({ windows, clock, mode }: LegLimitsDeps) {
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
