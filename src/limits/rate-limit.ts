import type { Principal } from '../core/access.js';
import { isWebClient } from '../core/web-client.js';
import type { Clock } from '../core/clock.js';
import type { AppId, UserId } from '../core/ids.js';
import { createMemoryWindows, type RateWindowStore } from './rate-windows.js';

/** The window that the `x-rate-limit` headers report (docs/api/limits.md#rate-limits). */
export const RATE_WINDOW_SECONDS = 900;

/** Limits with this window have separate headers. */
const DAY_SECONDS = 86_400;

/** A rate limit in the declaration of an endpoint. */
export interface RateLimit {
  /**
   * The calls that count together: those with the app's own token (`app`), with any app's tokens of a user (`user`),
   * with one app's tokens of a user (`user-of-app`), or with the tokens of all users of one app (`app-users`).
   */
  readonly per: 'app' | 'user' | 'user-of-app' | 'app-users';
  readonly limit: number;
  /** The limit for apps of the research track, if different. */
  readonly researchLimit?: number;
  /** Default 900. */
  readonly windowSeconds?: number;
  /** Endpoints with the same pool share it; default: the endpoint's own name. */
  readonly pool?: string;
}

/** `standard`: as declared. A number multiplies every limit. `off`: no refusals, but the headers remain. */
export type RateLimitMode = 'standard' | 'off' | number;

/** The values of one set of three headers. */
export interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds at which the window ends. */
  readonly resetSeconds: number;
}

/** The window of a 24-hour limit of a user, or of an app and its users. */
interface DayState extends WindowState {
  readonly per: 'app' | 'user';
}

/** The values of the `x-rate-limit` headers, and whether the call is allowed. */
export interface RateLimitState extends WindowState {
  readonly allowed: boolean;
  /** The 24-hour windows beside the shown one (docs/api/limits.md#rate-limits). */
  readonly days: readonly DayState[];
  /**
   * Epoch milliseconds after which a refused call may be repeated; for an allowed call, the end of the shown window.
   */
  readonly retryAtMs: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The limits of one endpoint. */
export type EndpointLimiter = ReturnType<RateLimiter['of']>;

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly mode: RateLimitMode;
  /** Default: this process's memory. */
  readonly windows?: RateWindowStore;
}

/** The web client may read this many times as often as other clients: one page takes several calls. */
const WEB_CLIENT_READS = 40;

/** Corrects floating-point errors: 200 times 0.29 is 57.99999999999999. */
const ROUNDING = 1e-9;

/** A limit as it applies to one kind of caller. */
interface Rule {
  readonly per: RateLimit['per'];
  readonly limit: number;
  readonly windowMs: number;
  /** The prefix of keys: a window belongs to a pool, a length and a caller. */
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
 * Creates fixed windows that start with their first call, keyed by pool and user (user tokens) or app (bearer
 * tokens). Throws RangeError if the factor is not a positive number.
 *
 * This code runs for every request: it precomputes everything per endpoint and avoids allocations.
 */
export function createRateLimiter({ clock, mode, windows = createMemoryWindows() }: RateLimiterDeps) {
  const factor = typeof mode === 'number' ? mode : 1;
  if (!(factor > 0)) throw new RangeError(`the rate limit factor ${factor} is not above 0`);
  const find = mode === 'off' ? () => undefined : windows.find;
  const countIn = ({ rule, key }: Candidate, nowMs: number): Candidate => {
    const { used, endsMs } = windows.count(key, rule.windowMs, nowMs);
    return { rule, key, used, endsMs };
  };
  return {
    /** True if no call is refused. */
    isOff: mode === 'off',
    /** Returns the apps and users whose windows run in this process. */
    callers: (): RateCaller[] => {
      const found = new Map<string, RateCaller>();
      for (const key of windows.keys(clock())) {
        const caller = callerOfKey(key);
        if (caller) found.set(`${caller.appId} ${caller.userId}`, caller);
      }
      return [...found.values()];
    },
    /** Ends all windows. */
    clear: () => windows.clear(),
    /** Returns the limiter of an endpoint. Its methods return undefined if there are no limits. */
    of: (endpoint: string, limits: readonly RateLimit[], method = 'GET') => {
      const webFactor = method === 'GET' ? factor * WEB_CLIENT_READS : factor;
      const rulesFor = rulesByCaller(endpoint, limits, factor, webFactor);
      const allRules = rulesOf(endpoint, limits, factor, false);
      return {
        /** Counts one call against the limits of the caller. A call refused by any window counts in none. */
        take: (principal: Principal) => {
          const nowMs = clock();
          const candidates = candidatesOf(find, rulesFor(principal), principal, nowMs);
          if (candidates.some(isFull)) return stateOf(candidates, false);
          const counted = candidates.map((candidate) =>
            mode === 'off' ? withOneCall(candidate) : countIn(candidate, nowMs),
          );
          return stateOf(counted, true);
        },
        /** Returns the state of `take` without counting a call; undefined also if no window runs. */
        look: (principal: Principal) => {
          if (mode === 'off') return undefined;
          const candidates = candidatesOf(windows.find, rulesFor(principal), principal, clock());
          const running = candidates.filter(({ used }) => used > 0);
          return stateOf(running, !running.some(isFull));
        },
        /**
         * Sets the calls that remain in the window that the headers report. Returns its limit, without setting anything
         * if `remaining` is above it; undefined if there is none.
         */
        set: (principal: Principal, remaining: number) => {
          const nowMs = clock();
          const shown = shownOf(candidatesOf(windows.find, rulesFor(principal), principal, nowMs));
          if (shown === undefined) return undefined;
          const { limit, windowMs } = shown.rule;
          if (remaining <= limit) windows.set(shown.key, windowMs, limit - remaining, nowMs);
          return limit;
        },
        /** Returns an unused state, for requests whose sender could not be authenticated. */
        untouched: () => {
          const nowMs = clock();
          const unused = allRules.map((rule) => ({ rule, key: '', used: 0, endsMs: nowMs + rule.windowMs }));
          return stateOf(unused, true);
        },
      };
    },
  };
}

/**
 * Returns the limits for one kind of caller. If an endpoint declares limits for the other kind only, they apply to
 * this kind as well.
 */
function limitsFor(limits: readonly RateLimit[], isApp: boolean): readonly RateLimit[] {
  const own = limits.filter(({ per }) => (per === 'app') === isApp);
  return own.length > 0 ? own : limits;
}

function rulesByCaller(
  endpoint: string,
  limits: readonly RateLimit[],
  factor: number,
  webFactor: number,
): (principal: Principal) => readonly Rule[] {
  // Users of the web client have windows of their own. Its visitors share no window: pages limit their addresses.
  const ofWebUsers = rulesOf(endpoint, limitsFor(limits, false), webFactor, false, 'web ');
  const [ofApps, ofUsers] = [true, false].map((isApp) => {
    const own = limitsFor(limits, isApp);
    return {
      usual: rulesOf(endpoint, own, factor, false),
      research: rulesOf(endpoint, own, factor, true),
    };
  }) as [CallerRules, CallerRules];
  return ({ context, app }) => {
    if (isWebClient(app)) return context === 'app' ? [] : ofWebUsers;
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
  prefix = '',
): readonly Rule[] {
  return limits.map(
    ({ per, limit, researchLimit = limit, pool = endpoint, windowSeconds = RATE_WINDOW_SECONDS }) => ({
      per,
      limit: scaled(isResearch ? researchLimit : limit, factor),
      windowMs: windowSeconds * 1000,
      pool: `${prefix}${pool} ${windowSeconds} `,
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

/** An app, or a user with the app if windows are of both. */
export interface RateCaller {
  readonly appId?: AppId;
  readonly userId?: UserId;
}

/** Reads the caller from the end of a key (`callerOf`); undefined for keys of other limits. */
function callerOfKey(key: string): RateCaller | undefined {
  const match = / (?:(?:app|users of) (\d+)|user (\d+)(?: of (\d+))?)$/.exec(key);
  if (!match) return undefined;
  const [, app, user, appOfUser] = match;
  const appId = app ?? appOfUser;
  return {
    ...(appId !== undefined && { appId: BigInt(appId) as AppId }),
    ...(user !== undefined && { userId: BigInt(user) as UserId }),
  };
}

function shownOf(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.find(isShown) ?? candidates[0];
}

function withOneCall(candidate: Candidate): Candidate {
  return { ...candidate, used: 1 };
}

function isFull({ used, rule }: Candidate): boolean {
  return used >= rule.limit;
}

function stateOf(candidates: readonly Candidate[], allowed: boolean): RateLimitState | undefined {
  const shown = shownOf(candidates);
  if (!shown) return undefined;
  const { limit, remaining, resetSeconds } = windowState(shown);
  const retryAtMs = allowed
    ? shown.endsMs
    : Math.max(...candidates.filter(isFull).map(({ endsMs }) => endsMs));
  const days = candidates.some(isOfDay) ? candidates.filter(isOfDay).map(dayState) : NO_DAYS;
  return { limit, remaining, resetSeconds, allowed, days, retryAtMs };
}

const NO_DAYS: readonly DayState[] = [];

/** Returns true for the limit that the headers report: the first one of 15 minutes. */
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
