import type { Connection } from './connection.js';

/** A rate-limit window of an app or a user. */
export interface RateWindow {
  /** The id of an operation, such as `createTweet`. */
  readonly operation: string;
  readonly app?: string;
  readonly user?: string;
}

export type Limits = ReturnType<typeof createLimits>;

/** Creates the control of rate limits. */
export function createLimits({ control }: Connection) {
  return {
    /** Returns the windows that are in use. */
    list: () => control<readonly unknown[]>('GET', '/rate_limits'),
    /** Sets how many requests remain in the present window. */
    set: (window: RateWindow & { readonly remaining: number }) =>
      control<unknown>('PUT', '/rate_limits', { body: window }),
    /** Leaves no request in the present window: the next one gets 429. */
    exhaust: (window: RateWindow) => control<unknown>('POST', '/rate_limits/exhaust', { body: window }),
    /** Opens new windows. */
    clear: () => control<unknown>('DELETE', '/rate_limits'),
  };
}
