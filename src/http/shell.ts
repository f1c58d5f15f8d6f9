import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthRequest } from '../auth/auth-request.js';
import type { Principal } from '../core/access.js';
import type { Clock } from '../core/clock.js';
import type { RateLimitState } from '../limits/rate-limit.js';
import type { BodyRoom } from './body-room.js';
import type { ShowProblem } from './exchange.js';
import type { ApiLog } from './fault-log.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request as it was sent, for handlers that authenticate it. */
export interface SentRequest extends AuthRequest {
  readonly rawQuery: string;
  /** Empty if the route is streamed. */
  readonly body: Buffer;
}

/** A request that a client has sent inside another one. */
export interface CarriedRequest {
  readonly method: string;
  /** The request target. */
  readonly url: string;
  /** The response of the request that carries it. */
  readonly carrier: ServerResponse;
}

/** A call that has passed all checks: its handler is about to run. */
export interface CheckedCall {
  /** The id of an endpoint, or method and path pattern of another route. */
  readonly operation: string;
  readonly errorStyle: 'problem' | 'v1';
  /** True if the answer is a stream of messages. */
  readonly isStream?: boolean;
  /** Present for a route that authenticates in its handler. */
  readonly sent?: SentRequest;
  /** What the answer tells about the sender and its limits. */
  readonly progress: {
    readonly principal: Principal | undefined;
    rate: RateLimitState | undefined;
    /** The parsed body, for endpoints that take JSON. */
    readonly sentJson?: unknown;
    /** Absent for a call inside the server. */
    readonly response?: ServerResponse;
    /** The request that a call inside the server stands for, if a client sent it inside another one: a tool. */
    readonly carried?: CarriedRequest;
  };
}

/** Runs the handler of a call and returns its result, or another one. */
export type Around = (call: CheckedCall, handler: () => Promise<unknown>) => Promise<unknown>;

/** The dependencies of all request handlers. */
export interface HttpShell {
  readonly log: ApiLog;
  readonly clock: Clock;
  /** Engine.catchUp: awaited before any read, so that a request sees everything acknowledged before it. */
  readonly catchUp?: () => Promise<void> | undefined;
  /** Renders the page for unknown paths in browsers. */
  readonly showProblem?: ShowProblem;
  /** Generates the values of `x-transaction-id`. */
  readonly newRequestId: () => string;
  /** Buffers bodies until they are complete. */
  readonly bodyRoom: BodyRoom;
  /** Stands between checks and handlers; absent unless this is a sandbox. */
  readonly around?: Around;
  /** Additional headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type PathValues = Readonly<Record<string, string>>;

/** Answers a request. Rejects only if sending the response fails. */
export type Serve = (request: IncomingMessage, response: ServerResponse, path: PathValues) => Promise<void>;
