import type { Refusal } from './refusal.js';

/** Headers as names and values in the order sent; names may repeat. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The recorded part of a body. Without `text` and `base64`, only its size is known. */
export interface RecordedBody {
  /** The size of what passed, in bytes. */
  readonly bytes: number;
  /** A body of text, with secrets hidden; its beginning if `isCut`. Absent for pages. */
  readonly text?: string;
  /** A binary body, if it is whole. */
  readonly base64?: string;
  /** True if the body was longer than what is kept, or has not passed to its end. */
  readonly isCut: boolean;
}

/** A request as it arrived, with secrets hidden (docs/journal.md#secrets). */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
  readonly httpVersion: string;
  readonly headers: HeaderList;
  readonly body: RecordedBody;
}

/** An answer as it was sent, with secrets hidden (docs/journal.md#secrets). */
export interface RecordedAnswer {
  /** 0 if no answer was started. */
  readonly status: number;
  /** Those that the server chose; `node:http` adds those of the connection. */
  readonly headers: HeaderList;
  readonly body: RecordedBody;
}

/** A statement that a request ran, without the values of its parameters. */
export interface RanStatement {
  readonly text: string;
  readonly elapsedMs: number;
}

/** A request that has been answered, or whose answer has begun. */
export interface NewEntry {
  /** When the request arrived, in milliseconds since the epoch. */
  readonly timeMs: number;
  /** The id of an endpoint, method and path pattern of another route, or `unrouted`. */
  readonly operation: string;
  readonly requestId: string | undefined;
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
  /** From the arrival to the end of the answer, or to now if it is open. */
  readonly elapsedMs: number;
  /** True while a streamed answer goes on. */
  readonly isOpen: boolean;
  /** True if the connection closed before the end of the answer. */
  readonly isCut: boolean;
  /** The authenticated app. */
  readonly app?: { readonly id: string; readonly name: string };
  /** The app whose credentials were refused, as far as it is known. */
  readonly namedAppId?: string;
  /** The API keys and client IDs that the request names, whether or not they exist. */
  readonly namedKeys?: readonly string[];
  /** The authenticated user. */
  readonly userId?: string;
  /** The operation of the request that carried it, for the call of a tool. */
  readonly via?: string;
  /** The statements that the request ran, as far as they are followed (sandboxes). */
  readonly statements?: readonly RanStatement[];
  /** Why the request was refused; absent for others. */
  readonly refusal?: Refusal;
}

/** An entry of the journal. */
export interface JournalEntry extends NewEntry {
  /** Counts from 1 in the order in which answers ended, or began if they are streamed. */
  readonly id: number;
}
