import type { Clock } from '../core/clock.js';
import type { AppId } from '../core/ids.js';
import { countAttempt, scaleLimit } from './attempts.js';
import type { RateLimitMode } from './rate-limit.js';
import type { RateWindowStore } from './rate-windows.js';

/**
 * How often the legs of OAuth 1.0a that need no user may be called within 15 minutes. A site asks for one request token
 * a sign-in, from one address.
 */
const LEG_LIMITS = {
  /** `POST /oauth/request_token` from one address, whatever becomes of it. */
  requestsFromAddress: 1_500,
  /** Request tokens of one app, from any addresses. */
  issuedToApp: 3_000,
  /** `POST /oauth/access_token` from one address, whatever becomes of it. */
  exchangesFromAddress: 1_500,
} as const;

/** Counts calls; each method throws `rate-limited` after too many. */
export interface LegLimits {
  countRequest(address: string): void;
  countIssued(appId: AppId): void;
  countExchange(address: string): void;
}

export interface LegLimitsDeps {
  readonly windows: RateWindowStore;
  readonly clock: Clock;
  readonly mode: RateLimitMode;
}

/** With `mode` as for every rate limit: a number multiplies them, `off` counts nothing. */
export function createLegLimits({ windows, clock, mode }: LegLimitsDeps): LegLimits {
  const count = (key: string, limit: number): void => {
    if (mode !== 'off') countAttempt(windows, [{ key, limit: scaleLimit(limit, mode) }], clock());
  };
  return {
    countRequest: (address) => count(`request tokens from ${address}`, LEG_LIMITS.requestsFromAddress),
    countIssued: (appId) => count(`request tokens of ${appId}`, LEG_LIMITS.issuedToApp),
    countExchange: (address) => count(`access tokens from ${address}`, LEG_LIMITS.exchangesFromAddress),
  };
}
