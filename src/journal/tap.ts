import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HeaderList } from './entry.js';

/** How much of each body is kept, in bytes (docs/journal.md#bodies). */
export const MAX_BODY_BYTES = 64 * 1024;

/** The beginning of a body that passed. */
export class BodyTap {
  /** The size of everything that passed. */
  bytes = 0;
  readonly #chunks: Buffer[] = [];

  add(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding);
    if (bytes === undefined) return;
    const room = MAX_BODY_BYTES - this.bytes;
    // A copy: a part of a buffer would keep the whole buffer, and its owner may reuse it.
    if (room > 0) this.#chunks.push(Buffer.from(bytes.subarray(0, room)));
    this.bytes += bytes.length;
  }

  /** The kept beginning. */
  beginning(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk !== 'string') return undefined;
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

/** Copies the body of a request as it arrives, whether or not anything reads it. */
export function tapRequest(request: IncomingMessage): BodyTap {
  const tap = new BodyTap();
  const { push } = request;
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    tap.add(chunk, encoding);
    return push.call(request, chunk, encoding);
  };
  return tap;
}

/** What has been sent of an answer. */
export interface AnswerTap {
  readonly body: BodyTap;
  headers: HeaderList;
}

/** Copies an answer as it is sent; `onStream` is called at its first chunk if it does not end with it. */
export function tapAnswer(response: ServerResponse, onStream: () => void): AnswerTap {
  const tap: AnswerTap = { body: new BodyTap(), headers: [] };
  const { writeHead, write, end } = response as Tapped;
  let isStreamed = false;
  const tapped = response as Tapped;
  tapped.writeHead = (...args) => {
    tap.headers = sentHeaders(response, args.at(-1));
    return writeHead.apply(response, args);
  };
  tapped.write = (...args) => {
    const [chunk, encoding] = args;
    tap.body.add(chunk, encoding);
    const isReady = write.apply(response, args);
    if (!isStreamed) onStream();
    isStreamed = true;
    return isReady;
  };
  tapped.end = (...args) => {
    const [chunk, encoding] = args;
    tap.body.add(chunk, encoding);
    return end.apply(response, args);
  };
  return tap;
}

/** The methods that answer, without their overloads. */
interface Tapped {
  writeHead(...args: unknown[]): unknown;
  write(...args: unknown[]): unknown;
  end(...args: unknown[]): unknown;
}

/** Returns the headers set before and those given to `writeHead`: an object, or names and values in turn. */
function sentHeaders(response: ServerResponse, given: unknown): HeaderList {
  const before = Object.entries(response.getHeaders());
  return [...before, ...givenHeaders(given)].flatMap(([name, value]) => listed(name, value));
}

function givenHeaders(given: unknown): [string, unknown][] {
  if (typeof given !== 'object' || given === null) return [];
  if (!Array.isArray(given)) return Object.entries(given as OutgoingHttpHeaders);
  const flat = given as OutgoingHttpHeader[];
  return flat.flatMap((name, at): [string, unknown][] =>
    at % 2 === 0 ? [[String(name), flat[at + 1]]] : [],
  );
}

function listed(name: string, value: unknown): [string, string][] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => [name.toLowerCase(), String(one)]);
}
