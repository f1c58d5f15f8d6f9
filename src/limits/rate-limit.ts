import type { Principal } from '../core/access.js';
import type { Clock } from '../core/clock.js';
import { createMemoryWindows, type RateWindowStore } from './rate-windows.js';

/** The window that the `x-rate-limit` headers tell about (docs/api/limits.md#rate-limits). */
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
interface DayState extends WindowState {
  readonly per: 'app' | 'user';
}

/** What the `x-rate-limit` headers say, and whether the call may go on. */
export interface RateLimitState extends WindowState {
  readonly allowed: boolean;
  /** Beside the window that these headers show (docs/api/limits.md#rate-limits). */
  readonly days: readonly DayState[];
  /** Epoch milliseconds from which a refused call may be repeated; the end of the shown window for an allowed one. */
  readonly retryAtMs: number;
}

/** The limits of one endpoint. Its methods say undefined when it has none. */
export interface EndpointLimiter {
  /** Counts one call against the limits for this kind of caller. A call that any window refuses counts in none. */
  take(principal: Principal): RateLimitState | undefined;
  /** As `take` would tell, without counting a call; undefined also while no window runs. */
  look(principal: Principal): RateLimitState | undefined;
  /** What is told to whoever could not be told apart, and so has used nothing up. */
  untouched(): RateLimitState | undefined;
}

export interface RateLimiter {
  of(endpoint: string, limits: readonly RateLimit[]): EndpointLimiter;
}

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly mode: RateLimitMode;
  /** This process's memory when absent. */
  readonly windows?: RateWindowStore;
}

/** To the machine, 200 times 0.29 is 57.99999999999999. */
const ROUNDING = 1e-9;

/** A limit as it is for one kind of caller. */
interface Rule {
  readonly per: RateLimit['per'];
  readonly limit: number;
  readonly windowMs: number;
  /** What keys begin with: a window is of a pool, a length and a caller. */
  readonly pool: string;
}

/** A rule's window of one caller. */
interface Candidate {
  readonly rule: Rule;
  readonly key: string;
  readonly used: number;
  readonly endsMs: number;
}

/**
 * Fixed windows that begin with their first call, keyed by pool and user (user tokens) or app (bearer tokens).
 * Throws RangeError for a factor that is no positive number.
 *
 * Every request passes here: what can be told of an endpoint beforehand is, and nothing is made that need not be.
 */
export function createRateLimiter({
  clock,
  mode,
  windows = createMemoryWindows(),
}: RateLimiterDeps): RateLimiter {
  const factor = typeof mode === 'number' ? mode : 1;
  if (!(factor > 0)) throw new RangeError(`the rate limit factor ${factor} is not above 0`);
  const find = mode === 'off' ? () => undefined : windows.find;
  const countIn = ({ rule, key }: Candidate, nowMs: number): Candidate => {
    const { used, endsMs } = windows.count(key, rule.windowMs, nowMs);
    return { rule, key, used, endsMs };
  };
  return {
    of: (endpoint, limits) => {
      const rulesFor = rulesByCaller(endpoint, limits, factor);
      const allRules = rulesOf(endpoint, limits, factor, false);
      return {
        take: (principal) => {
          const nowMs = clock();
          const candidates = candidatesOf(find, rulesFor(principal), principal, nowMs);
          if (candidates.some(isFull)) return stateOf(candidates, false);
          const counted = candidates.map((candidate) =>
            mode === 'off' ? withOneCall(candidate) : countIn(candidate, nowMs),
          );
          return stateOf(counted, true);
        },
        look: (principal) => {
          if (mode === 'off') return undefined;
          const candidates = candidatesOf(windows.find, rulesFor(principal), principal, clock());
          const running = candidates.filter(({ used }) => used > 0);
          return stateOf(running, !running.some(isFull));
        },
        untouched: () => {
          const nowMs = clock();
          const candidates = allRules.map((rule) => ({
            rule,
            key: '',
            used: 0,
            endsMs: nowMs + rule.windowMs,
          }));
          return stateOf(candidates, true);
        },
      };
    },
  };
}

/** An endpoint that declares limits for the other kind of caller alone applies them to this kind as well. */
function limitsFor(limits: readonly RateLimit[], isApp: boolean): readonly RateLimit[] {
  const own = limits.filter(({ per }) => (per === 'app') === isApp);
  return own.length > 0 ? own : limits;
}

function rulesByCaller(
  endpoint: string,
  limits: readonly RateLimit[],
  factor: number,
): (principal: Principal) => readonly Rule[] {
  const [ofApps, ofUsers] = [true, false].map((isApp) => {
    const own = limitsFor(limits, isApp);
    return {
      usual: rulesOf(endpoint, own, factor, false),
      research: rulesOf(endpoint, own, factor, true),
    };
  }) as [CallerRules, CallerRules];
  return ({ context, app }) => {
    const rules = context === 'app' ? ofApps : ofUsers;
    return app.track === 'academic_research' ? rules.research : rules.usual;
  };
}

interface CallerRules {
  readonly usual: readonly Rule[];
  readonly research: readonly Rule[];
}

function rulesOf(
  endpoint: string,
  limits: readonly RateLimit[],
  factor: number,
  isResearch: boolean,
): readonly Rule[] {
  return limits.map(
    ({ per, limit, researchLimit = limit, pool = endpoint, windowSeconds = RATE_WINDOW_SECONDS }) => ({
      per,
      limit: scaled(isResearch ? researchLimit : limit, factor),
      windowMs: windowSeconds * 1000,
      pool: `${pool} ${windowSeconds} `,
    }),
  );
}

function scaled(limit: number, factor: number): number {
  return Math.max(1, Math.floor(limit * factor + ROUNDING));
}

function candidatesOf(
  find: RateWindowStore['find'],
  rules: readonly Rule[],
  principal: Principal,
  nowMs: number,
): readonly Candidate[] {
  return rules.map((rule) => {
    const { windowMs } = rule;
    const key = rule.pool + callerOf(rule.per, principal);
    const running = find(key, windowMs, nowMs);
    return running
      ? { rule, key, used: running.used, endsMs: running.endsMs }
      : { rule, key, used: 0, endsMs: nowMs + windowMs };
  });
}

function callerOf(per: RateLimit['per'], principal: Principal): string {
  const { app } = principal;
  if (principal.context === 'app') return `app ${app.id}`;
  if (per === 'app-users') return `users of ${app.id}`;
  return per === 'user-of-app' ? `user ${principal.userId} of ${app.id}` : `user ${principal.userId}`;
}

function withOneCall(candidate: Candidate): Candidate {
  return { ...candidate, used: 1 };
}

function isFull({ used, rule }: Candidate): boolean {
  return used >= rule.limit;
}

function stateOf(candidates: readonly Candidate[], allowed: boolean): RateLimitState | undefined {
  const shown = candidates.find(isShown) ?? candidates[0];
  if (!shown) return undefined;
  const { limit, remaining, resetSeconds } = windowState(shown);
  const retryAtMs = allowed
    ? shown.endsMs
    : Math.max(...candidates.filter(isFull).map(({ endsMs }) => endsMs));
  const days = candidates.some(isOfDay) ? candidates.filter(isOfDay).map(dayState) : NO_DAYS;
  return { limit, remaining, resetSeconds, allowed, days, retryAtMs };
}

const NO_DAYS: readonly DayState[] = [];

/** The limit that the headers tell about: the first one of 15 minutes. */
function isShown({ rule }: Candidate): boolean {
  return rule.windowMs === RATE_WINDOW_SECONDS * 1000;
}

function isOfDay({ rule }: Candidate): boolean {
  return rule.windowMs === DAY_SECONDS * 1000;
}

function windowState({ rule: { limit }, used, endsMs }: Candidate): WindowState {
  return { limit, remaining: Math.max(0, limit - used), resetSeconds: Math.ceil(endsMs / 1000) };
}

function dayState(candidate: Candidate): DayState {
  const isOfApp = candidate.rule.per === 'app' || candidate.rule.per === 'app-users';
  return { per: isOfApp ? 'app' : 'user', ...windowState(candidate) };
}
