import type { RateLimiter, WindowState } from '../limits/rate-limit.js';
import type { AppAccess, Principal } from '../core/access.js';
import type { UserId } from '../core/ids.js';
import type { AnyEndpoint } from './endpoint.js';

/** The remainder of a used limit. */
export interface LimitLeft extends WindowState {
  /** The id of the endpoint. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** The counted calls: those with the app's own token, or the user's. */
  readonly per: 'app' | 'user';
}

/** Returns the used limits of an app and one of its users in running windows. */
export type LimitsLeft = (app: AppAccess, userId: UserId) => LimitLeft[];

export function createLimitsLeft(endpoints: readonly AnyEndpoint[], limiter: RateLimiter): LimitsLeft {
  return (app, userId) => {
    // Few servers show this page, and the limits of all endpoints take long to read.
    const limitsOf = createLimitsOf(endpoints, limiter);
    return [
      ...limitsOf({ context: 'app', app }),
      ...limitsOf({ context: 'oauth1', app, userId, permission: app.permissions }),
    ];
  };
}

/** Creates a function that returns the used limits of a caller in running windows. */
export function createLimitsOf(endpoints: readonly AnyEndpoint[], limiter: RateLimiter) {
  const limited = endpoints.map((endpoint) => ({
    endpoint,
    limits: limiter.of(endpoint.operationId, endpoint.rateLimits ?? []),
  }));
  return (principal: Principal): LimitLeft[] =>
    limited.flatMap(({ endpoint: { operationId: operation, method, path, access }, limits }) => {
      if (access === 'public' || !access.contexts.includes(principal.context)) return [];
      const state = limits.look(principal);
      const per = principal.context === 'app' ? ('app' as const) : ('user' as const);
      return state ? [{ operation, method, path, per, ...state }] : [];
    });
}
