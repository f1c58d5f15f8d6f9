import type { RateLimit } from '../limits/rate-limit.js';

/**
 * Declares limits per 15 minutes, as in the tables of docs/api/README.md: for calls with an app's own token, for
 * calls of a user, or both.
 */
export function perQuarterHour(limits: { readonly app?: number; readonly user?: number }): RateLimit[] {
  const { app, user } = limits;
  return [
    ...(app === undefined ? [] : [{ per: 'app', limit: app } as const]),
    ...(user === undefined ? [] : [{ per: 'user', limit: user } as const]),
  ];
}

/** The common limit for posts and reposts of a user through one app (docs/api/posts.md). */
export const POST_BUDGET: RateLimit = {
  per: 'user-of-app',
  limit: 300,
  windowSeconds: 3 * 60 * 60,
  pool: 'posts and reposts',
};

/**
 * Declares a limit of one call per second, in addition to those per 15 minutes (docs/api/limits.md#sizes,
 * docs/api/limits.md#rate-limits).
 */
export const onceASecond = (per: 'app' | 'user'): RateLimit => ({ per, limit: 1, windowSeconds: 1 });
