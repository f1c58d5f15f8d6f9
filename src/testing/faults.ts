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

/** A rule that makes requests fail (docs/sandbox.md#faults). */
export interface FaultRule {
  readonly match?: RequestPattern & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly probability?: number;
  };
  /** The number of matching requests that pass first. */
  readonly after?: number;
  /** The number of requests that fail; absent: all. */
  readonly count?: number;
  readonly effect: Readonly<Record<string, unknown>>;
}

/** A rule in force. */
export type Fault = FaultRule & { readonly id: string };

export type Faults = ReturnType<typeof createFaults>;

/** Creates the control of faults. */
export function createFaults({ control }: Connection) {
  return {
    /** Adds a rule. Rules are tried in the order in which they were added. */
    add: (rule: FaultRule) => control<Fault>('POST', '/faults', { body: rule }),
    list: () => control<readonly Fault[]>('GET', '/faults'),
    remove: (id: string) => control<unknown>('DELETE', `/faults/${encodeURIComponent(id)}`),
    /** Removes all rules. */
    clear: () => control<unknown>('DELETE', '/faults'),
  };
}
