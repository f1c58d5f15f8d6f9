import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.js';
import type { BodyRoom } from './body-room.js';
import type { ShowProblem } from './exchange.js';
import type { ApiLog } from './fault-log.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

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
  /** Additional headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type PathValues = Readonly<Record<string, string>>;

/** Answers a request. Rejects only if sending the response fails. */
export type Serve = (request: IncomingMessage, response: ServerResponse, path: PathValues) => Promise<void>;
