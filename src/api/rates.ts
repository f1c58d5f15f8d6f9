import type { RateLimit } from '../limits/rate-limit.js';

/**
 * Limits per 15 minutes, as the tables of docs/api/README.md have them: of calls with an app's own token, of calls
 * for a user, or both.
 */
export function perQuarterHour(limits: { readonly app?: number; readonly user?: number }): RateLimit[] {
  const { app, user } = limits;
  return [
    ...(app === undefined ? [] : [{ per: 'app', limit: app } as const]),
    ...(user === undefined ? [] : [{ per: 'user', limit: user } as const]),
  ];
}

/** What posts and reposts of a user by one app may be together (docs/api/posts.md). */
export const POST_BUDGET: RateLimit = {
  per: 'user-of-app',
  limit: 300,
  windowSeconds: 3 * 60 * 60,
  pool: 'posts and reposts',
};

/** Beside the limits per 15 minutes (docs/api/limits.md#sizes; docs/api/limits.md#rate-limits). */
export const onceASecond = (per: 'app' | 'user'): RateLimit => ({ per, limit: 1, windowSeconds: 1 });
