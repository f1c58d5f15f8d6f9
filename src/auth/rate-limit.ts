import type { Principal } from '../core/access.js';
import type { Clock } from '../core/clock.js';
import { createMemoryWindows, type RateWindowStore } from './rate-windows.js';

/** The window that the `x-rate-limit` headers tell about (reference/errors.md section 7). */
export const RATE_WINDOW_SECONDS = 900;

/** Limits of so long are told in headers of their own. */
const DAY_SECONDS = 86_400;

/** One limit of an endpoint: data of its declaration. */
export interface RateLimit {
  /**
   * Whose calls count together: those with the app's own token (`app`), those with a user's tokens of whatever app
   * (`user`) or of one app (`user-of-app`), or those with the tokens of all users of one app (`app-users`).
   */
  readonly per: 'app' | 'user' | 'user-of-app' | 'app-users';
  readonly limit: number;
  /** The limit of apps of the research track, where it is another one. */
  readonly researchLimit?: number;
  /** 900 when absent. */
  readonly windowSeconds?: number;
  /** Endpoints that name the same pool share it; an endpoint's own name when absent. */
  readonly pool?: string;
}

/** `standard`: as declared. A number multiplies every limit. `off`: nothing is refused, headers stay. */
export type RateLimitMode = 'standard' | 'off' | number;

/** What a set of three headers says of one window. */
export interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds at which the window ends. */
  readonly resetSeconds: number;
}

/** The window of a limit of 24 hours: that of a user, or of an app and its users. */
export interface DayState extends WindowState {
  readonly per: 'app' | 'user';
}

/** What the `x-rate-limit` headers say, and whether the call may go on. */
export interface RateLimitState extends WindowState {
  readonly allowed: boolean;
  /** Beside the window that these headers show (reference/errors.md section 7). */
  readonly days: readonly DayState[];
  /** Epoch milliseconds from which a refused call may be repeated; the end of the shown window for an allowed one. */
  readonly retryAtMs: number;
}

export interface RateLimiter {
  /**
   * Counts one call of `endpoint` against those of its `limits` that are for this kind of caller. A call that any window
   * refuses counts in none. Undefined when the endpoint has no limits.
   */
  take(endpoint: string, limits: readonly RateLimit[], principal: Principal): RateLimitState | undefined;
  /** As `take` would tell, without counting a call; undefined also while no window runs. */
  look(endpoint: string, limits: readonly RateLimit[], principal: Principal): RateLimitState | undefined;
  /** What is told to whoever could not be told apart, and so has used nothing up. Undefined where there are no limits. */
  untouched(limits: readonly RateLimit[]): RateLimitState | undefined;
}

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly mode: RateLimitMode;
  /** This process's memory when absent. */
  readonly windows?: RateWindowStore;
}

/** To the machine, 200 times 0.29 is 57.99999999999999. */
const ROUNDING = 1e-9;

/** How often a call that met another at a limit tries again before it is refused. */
const MAX_TRIES = 8;

interface Candidate {
  readonly per: RateLimit['per'];
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
  const takeOnce = (endpoint: string, limits: readonly RateLimit[], principal: Principal, nowMs: number) => {
    const candidates = limits.map((limit) =>
      candidateOf(mode === 'off' ? undefined : windows.glimpse, endpoint, limit, factor, principal, nowMs),
    );
    if (candidates.some(isFull)) return { allowed: false, met: false, candidates };
    if (mode === 'off') return { allowed: true, met: false, candidates: candidates.map(withOneCall) };
    const counted = candidates.map((candidate) => countedIn(windows, candidate, nowMs));
    if (!counted.some(isExceeded)) return { allowed: true, met: false, candidates: counted };
    for (const { key, windowMs } of counted) windows.uncount(key, windowMs, nowMs);
    return { allowed: false, met: true, candidates: counted };
  };
  return {
    take: (endpoint, limits, principal) => {
      const nowMs = clock();
      const own = limitsFor(limits, principal);
      let taken = takeOnce(endpoint, own, principal, nowMs);
      // Calls that met at the limit in two processes were both taken back: one of them may have had a place.
      for (let tries = 1; taken.met && tries < MAX_TRIES; tries += 1) {
        taken = takeOnce(endpoint, own, principal, nowMs);
      }
      return stateOf(taken.candidates, taken.allowed);
    },
    look: (endpoint, limits, principal) => {
      if (mode === 'off') return undefined;
      const candidates = limitsFor(limits, principal).map((limit) =>
        candidateOf(windows.find, endpoint, limit, factor, principal, clock()),
      );
      const running = candidates.filter(({ used }) => used > 0);
      return stateOf(running, !running.some(isFull));
    },
    untouched: (limits) => {
      const nowMs = clock();
      const candidates = limits.map(({ per, limit, windowSeconds = RATE_WINDOW_SECONDS }) => {
        const windowMs = windowSeconds * 1000;
        return { per, key: '', windowMs, limit: scaled(limit, factor), used: 0, endsMs: nowMs + windowMs };
      });
      return stateOf(candidates, true);
    },
  };
}

/** The limit that the headers tell about: the first one of 15 minutes. */
function shownOf(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.find(({ windowMs }) => windowMs === RATE_WINDOW_SECONDS * 1000) ?? candidates[0];
}

function countedIn(windows: RateWindowStore, candidate: Candidate, nowMs: number): Candidate {
  const { used, endsMs } = windows.count(candidate.key, candidate.windowMs, nowMs);
  return { ...candidate, used, endsMs };
}

function withOneCall(candidate: Candidate): Candidate {
  return { ...candidate, used: 1 };
}

/** An endpoint that declares limits for the other kind of caller alone applies them to this kind as well. */
function limitsFor(limits: readonly RateLimit[], principal: Principal): readonly RateLimit[] {
  const own = limits.filter(({ per }) => (per === 'app') === (principal.context === 'app'));
  return own.length > 0 ? own : limits;
}

function isFull({ used, limit }: Candidate): boolean {
  return used >= limit;
}

/** More calls than may be, this one among them: only where other processes count too. */
function isExceeded({ used, limit }: Candidate): boolean {
  return used > limit;
}

function candidateOf(
  seen: RateWindowStore['glimpse'] | undefined,
  endpoint: string,
  { per, limit: usual, researchLimit = usual, pool, windowSeconds = RATE_WINDOW_SECONDS }: RateLimit,
  factor: number,
  principal: Principal,
  nowMs: number,
): Candidate {
  const limit = scaled(principal.app.track === 'academic_research' ? researchLimit : usual, factor);
  const caller = callerOf(per, principal);
  const key = `${pool ?? endpoint} ${windowSeconds} ${caller}`;
  const windowMs = windowSeconds * 1000;
  const running = seen?.(key, windowMs, nowMs, limit) ?? { used: 0, endsMs: nowMs + windowMs };
  return { per, key, windowMs, limit, ...running };
}

function scaled(limit: number, factor: number): number {
  return Math.max(1, Math.floor(limit * factor + ROUNDING));
}

function callerOf(per: RateLimit['per'], principal: Principal): string {
  const { app } = principal;
  if (principal.context === 'app') return `app ${app.id}`;
  if (per === 'app-users') return `users of ${app.id}`;
  return per === 'user-of-app' ? `user ${principal.userId} of ${app.id}` : `user ${principal.userId}`;
}

function stateOf(candidates: readonly Candidate[], allowed: boolean): RateLimitState | undefined {
  const shown = shownOf(candidates);
  if (!shown) return undefined;
  const waitedFor = allowed ? [shown] : candidates.filter(isFull);
  return {
    ...windowState(shown),
    allowed,
    days: candidates.filter(isOfDay).map(dayState),
    retryAtMs: Math.max(...waitedFor.map(({ endsMs }) => endsMs)),
  };
}

function windowState({ limit, used, endsMs }: Candidate): WindowState {
  return { limit, remaining: Math.max(0, limit - used), resetSeconds: Math.ceil(endsMs / 1000) };
}

function isOfDay({ windowMs }: Candidate): boolean {
  return windowMs === DAY_SECONDS * 1000;
}

function dayState(candidate: Candidate): DayState {
  const isOfApp = candidate.per === 'app' || candidate.per === 'app-users';
  return { per: isOfApp ? 'app' : 'user', ...windowState(candidate) };
}
