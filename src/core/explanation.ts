import type { AppId } from './ids.js';

/** The step of a check that refused credentials (docs/inspector.md#why-a-request-was-refused). */
export type RefusedStep =
  | 'signature'
  | 'timestamp'
  | 'nonce'
  | 'consumer key'
  | 'access token'
  | 'protocol parameters'
  | 'client authentication'
  | 'authorization code'
  | 'redirect URI'
  | 'code verifier'
  | 'refresh token'
  | 'user'
  | 'credentials'
  | 'scope'
  | 'permission'
  | 'kind of credentials';

/** Two texts that should be equal, without secrets. */
export interface Comparison {
  readonly what: string;
  /** What the client sent or must have signed; absent if it is unknown. */
  readonly client?: string;
  /** What this server computed or has stored. */
  readonly server: string;
}

/** Why credentials were refused, for the developer of the client. Contains no secrets. */
export interface Explanation {
  readonly step: RefusedStep;
  /** One or two sentences. */
  readonly summary: string;
  readonly compared?: readonly Comparison[];
  /** What the developer can try. */
  readonly hints?: readonly string[];
  /** The app that the request names, as far as it is known. */
  readonly appId?: AppId;
}

/** What an explanation needs besides the request line and headers. */
export interface Captured {
  /** The start of the body as text, unless it was a form. */
  readonly body?: string;
}

/** Finds the explanation of an error. Costs work, so only a recorder calls it. */
export type Explain = (captured: Captured) => Explanation | Promise<Explanation | undefined>;

const EXPLAIN = Symbol('explain');

interface ExplainedError extends Error {
  [EXPLAIN]?: Explain;
}

/** Attaches an explanation to an error and returns the error. Logs do not show it. */
export function explained<E extends Error>(error: E, explain: Explain): E {
  return Object.defineProperty(error, EXPLAIN, { value: explain });
}

/** Returns the function that explains an error, if it has one. */
export function explainOf(error: unknown): Explain | undefined {
  return error instanceof Error ? (error as ExplainedError)[EXPLAIN] : undefined;
}
