import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.js';
import type { BodyRoom } from './body-room.js';
import type { ApiLog, ShowProblem } from './exchange.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What answering any request needs. */
export interface HttpShell {
  readonly log: ApiLog;
  readonly clock: Clock;
  /** Engine.catchUp: awaited before anything is read, so that a request sees what was acknowledged before it. */
  readonly catchUp?: () => Promise<void> | undefined;
  /** Makes the page that browsers get for a path that does not exist. */
  readonly showProblem?: ShowProblem;
  /** Makes the values of `x-transaction-id`. */
  readonly newRequestId: () => string;
  /** Where bodies are kept until they are complete. */
  readonly bodyRoom: BodyRoom;
  /** Further headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type PathValues = Readonly<Record<string, string>>;

/** Answers one request. Rejects only when answering fails itself. */
export type Serve = (request: IncomingMessage, response: ServerResponse, path: PathValues) => Promise<void>;

/** Returns the part of a request target after the question mark; an empty string when there is none. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
