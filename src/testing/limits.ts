import type { Connection } from './connection.js';

/** Whose limit: of an app alone, or of an app for a user. */
export interface LimitHolder {
  /** The id or the name of an app; by default the first one. */
  readonly app?: string;
  /** The id or the username of a user. */
  readonly user?: string;
}

/** A rate limit in its present window. */
export interface RateLimit {
  readonly operation: string;
  readonly limit: number;
  readonly remaining: number;
}

export type Limits = ReturnType<typeof createLimits>;

/** Creates the control of rate limits; a server needs `rateLimits: 'standard'` to have any. */
export function createLimits({ control }: Connection) {
  return {
    /** Returns the windows that run. */
    list: () => control<readonly RateLimit[]>('GET', '/rate_limits'),
    /** Sets how many calls of an operation remain in the window. */
    set: (limit: LimitHolder & { readonly operation: string; readonly remaining: number }) =>
      control<readonly RateLimit[]>('PUT', '/rate_limits', { body: limit }),
    /** Uses up the limit of an operation, or of all: the next call gets 429. */
    exhaust: (limit: LimitHolder & { readonly operation?: string } = {}) =>
      control<readonly RateLimit[]>('POST', '/rate_limits/exhaust', { body: limit }),
    /** Gives everyone the full limits back. */
    clear: async () => void (await control('DELETE', '/rate_limits')),
  };
}
