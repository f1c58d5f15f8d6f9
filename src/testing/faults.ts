import type { Connection } from './connection.js';

/** Selects requests; absent members match everything. */
export interface RequestPattern {
  /** The id of an operation, such as `createTweet`. */
  readonly operation?: string;
  readonly method?: string;
  /** Without its query; `*` stands for any text, `{id}` for any one segment. */
  readonly path?: string;
  /** The id or the name of an app. */
  readonly app?: string;
  /** The id or the username of a user. */
  readonly user?: string;
}

/** What happens to a request (docs/sandbox.md#effects). */
export interface FaultEffect {
  /** Answers with this status, 400 to 599; the operation does not run. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly delay?:
    | { readonly fixed: number }
    | { readonly uniform: { readonly min: number; readonly max: number } }
    | { readonly lognormal: { readonly median: number; readonly sigma: number } };
  /** Resets the connection before the operation runs, or after it. */
  readonly reset?: 'before' | 'after';
  readonly cut?: {
    readonly after_bytes?: number;
    readonly after_messages?: number;
    readonly clean?: boolean;
  };
  readonly drip?: { readonly bytes: number; readonly every_ms: number };
}

/** A rule that disturbs requests (docs/sandbox.md#faults). */
export interface FaultRule {
  readonly match?: RequestPattern & {
    readonly headers?: Readonly<Record<string, string>>;
    /** The nth connection of an app to a stream since the rule was added. */
    readonly connection?: number;
  };
  /** From 0 to 1; drawn with the seed of the server. */
  readonly probability?: number;
  /** The number of matching requests that pass first. */
  readonly after?: number;
  /** The number of requests that are disturbed; absent: all. */
  readonly count?: number;
  readonly effect: FaultEffect;
}

/** A rule in force. */
export interface Fault extends FaultRule {
  readonly id: number;
}

export type Faults = ReturnType<typeof createFaults>;

/** Creates the control of faults. */
export function createFaults({ control }: Connection) {
  return {
    /** Adds a rule. The first rule that disturbs a request decides. */
    add: (rule: FaultRule) => control<Fault>('POST', '/faults', { body: rule }),
    /** Returns a rule, with how often it applied. */
    get: (id: number) => control<Fault>('GET', `/faults/${id}`),
    list: () => control<readonly Fault[]>('GET', '/faults'),
    remove: async (id: number) => void (await control('DELETE', `/faults/${id}`)),
    /** Removes all rules. */
    clear: async () => void (await control('DELETE', '/faults')),
  };
}
