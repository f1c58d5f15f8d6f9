import type { Connection } from './connection.js';

/** The posts that an app has read, and its cap. */
export interface UsageReport {
  readonly app: { readonly id: string; readonly name: string };
  /** The posts that the app may read in a month. */
  readonly cap: number;
  readonly used: number;
  readonly days_left: number;
  readonly days: readonly { readonly date: string; readonly posts: number; readonly requests: number }[];
}

export type Usage = ReturnType<typeof createUsage>;

/** Creates the control of usage; `app` is the id or the name of an app, by default the first one. */
export function createUsage({ control }: Connection) {
  const read = (app?: string) => control<UsageReport>('GET', '/usage', { query: { app } });
  const set = (usage: { readonly app?: string; readonly posts: number }) =>
    control<UsageReport>('PUT', '/usage', { body: usage });
  return {
    read,
    /** Sets the posts that an app has read in the current month of its cap. */
    set,
    /** Uses up the cap: the next read of posts gets 429. */
    exhaust: async (app?: string) => set({ app, posts: (await read(app)).cap }),
  };
}
