import type { Principal } from '../core/access.js';
import type { Clock } from '../core/clock.js';
import { createMemoryWindows, type RateWindowStore } from './rate-windows.js';

/** The window that the `x-rate-limit` headers tell about (reference/errors.md section 7). */
export const RATE_WINDOW_SECONDS = 900;

/** One limit of an endpoint: data of its declaration. */
export interface RateLimit {
  /** Whose calls count together: those with a user's tokens, or those with the app's own token. */
  readonly per: 'app' | 'user';
  readonly limit: number;
  /** 900 when absent. */
  readonly windowSeconds?: number;
  /** Endpoints that name the same pool share it; an endpoint's own name when absent. */
  readonly pool?: string;
}

/** `standard`: as declared. A number multiplies every limit. `off`: nothing is refused, headers stay. */
export type RateLimitMode = 'standard' | 'off' | number;

/** What the three headers say, and whether the call may go on. */
export interface RateLimitState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds at which the window that the headers show ends. */
  readonly resetSeconds: number;
  /** Epoch seconds from which a refused call may be repeated; `resetSeconds` for an allowed one. */
  readonly retrySeconds: number;
}

export interface RateLimiter {
  /**
   * Counts one call of `endpoint` against those of its `limits` that are for this kind of caller. A call that any window
   * refuses counts in none. Undefined when the endpoint has no limits.
   */
  take(endpoint: string, limits: readonly RateLimit[], principal: Principal): RateLimitState | undefined;
}

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly mode: RateLimitMode;
  /** This process's memory when absent. */
  readonly windows?: RateWindowStore;
}

interface Candidate {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly used: number;
  readonly endsMs: number;
}

/**
 * Fixed windows that begin with their first call, keyed by pool and user (user tokens) or app (bearer tokens).
 * Throws RangeError for a factor that is no positive number.
 */
export function createRateLimiter({
  clock,
  mode,
  windows = createMemoryWindows(),
}: RateLimiterDeps): RateLimiter {
  const factor = typeof mode === 'number' ? mode : 1;
  if (!(factor > 0)) throw new RangeError(`the rate limit factor ${factor} is not above 0`);
  return {
    take: (endpoint, limits, principal) => {
      const nowMs = clock();
      const candidates = limitsFor(limits, principal).map((limit) =>
        candidateOf(mode === 'off' ? undefined : windows, endpoint, limit, factor, principal, nowMs),
      );
      const shown =
        candidates.find(({ windowMs }) => windowMs === RATE_WINDOW_SECONDS * 1000) ?? candidates[0];
      if (!shown) return undefined;
      const full = candidates.filter(isFull);
      if (full.length > 0) return stateOf(shown, full, false);
      if (mode !== 'off') for (const { key, windowMs } of candidates) windows.count(key, windowMs, nowMs);
      return stateOf(shown, [shown], true);
    },
  };
}

/** An endpoint that declares limits for the other kind of caller alone applies them to this kind as well. */
function limitsFor(limits: readonly RateLimit[], principal: Principal): readonly RateLimit[] {
  const kind = principal.context === 'app' ? 'app' : 'user';
  const own = limits.filter(({ per }) => per === kind);
  return own.length > 0 ? own : limits;
}

function isFull({ used, limit }: Candidate): boolean {
  return used >= limit;
}

function candidateOf(
  windows: RateWindowStore | undefined,
  endpoint: string,
  { limit, pool, windowSeconds = RATE_WINDOW_SECONDS }: RateLimit,
  factor: number,
  principal: Principal,
  nowMs: number,
): Candidate {
  const caller = principal.context === 'app' ? `app ${principal.app.id}` : `user ${principal.userId}`;
  const key = `${pool ?? endpoint} ${windowSeconds} ${caller}`;
  const windowMs = windowSeconds * 1000;
  const running = windows?.find(key, windowMs, nowMs) ?? { used: 0, endsMs: nowMs + windowMs };
  return { key, windowMs, limit: Math.max(1, Math.floor(limit * factor)), ...running };
}

function stateOf(shown: Candidate, waitedFor: readonly Candidate[], allowed: boolean): RateLimitState {
  return {
    allowed,
    limit: shown.limit,
    remaining: Math.max(0, shown.limit - shown.used - (allowed ? 1 : 0)),
    resetSeconds: Math.ceil(shown.endsMs / 1000),
    retrySeconds: Math.ceil(Math.max(...waitedFor.map(({ endsMs }) => endsMs)) / 1000),
  };
}
