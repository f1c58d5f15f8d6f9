import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { PipitError } from '../core/errors.js';
import { clip } from './faults.js';
import type { BodyRoom, HeldBody } from './body-room.js';
import { NamedError } from '../core/named-error.js';

/** The default maximum body size. */
export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** Content encodings that do not change a body, including none (RFC 9110 8.4). */
const IDENTITY = /^[\s,]*(?:identity[\s,]*)*$/i;

/** An upload is aborted when no data arrives for this long. */
const STALL_MS = 30_000;

/** The events that announce more data or the end of a body. */
const CHANGES = ['readable', 'end', 'error', 'close'] as const;

const IS_STREAMING = Symbol('is streaming');

interface StreamingConnection extends Duplex {
  [IS_STREAMING]?: boolean;
}

/** The client disconnected before its request was complete. */
export class RequestAborted extends NamedError {}

/**
 * Returns the chunks of a body as they arrive. The total time is unlimited, but at most `stallMs` may pass without a
 * byte.
 *
 * Throws PipitError `payload-too-large` and `unsupported-encoding`, immediately if the headers show it. Reading
 * throws them too, `request-timeout` if no data arrives, and RequestAborted if the client disconnects.
 */
export function openBody(
  request: IncomingMessage,
  maxBytes: number,
  stallMs = STALL_MS,
): AsyncIterable<Buffer> {
  requireReadable(request, maxBytes);
  return chunksOf(request, maxBytes, stallMs);
}

async function* chunksOf(
  request: IncomingMessage,
  maxBytes: number,
  stallMs: number,
): AsyncGenerator<Buffer> {
  const connection: StreamingConnection = request.socket;
  connection[IS_STREAMING] = true;
  const arrivals = new Arrivals(request);
  let receivedBytes = 0;
  try {
    for (let chunk = await arrivals.next(stallMs); chunk; chunk = await arrivals.next(stallMs)) {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  } finally {
    connection[IS_STREAMING] = false;
    arrivals.end();
    dropRest(request, stallMs);
  }
}

/** Reads and discards the rest for a limited time, so that a client that is still sending receives the response. */
function dropRest(request: IncomingMessage, limitMs: number): void {
  request.resume();
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), limitMs);
  request.on('close', () => clearTimeout(timer));
}

/**
 * Reports whether a streamed body, which has no total time limit, is being read. Its sender was authenticated or has
 * a signed link, and must keep sending.
 */
export function isStreamingBody(connection: Duplex): boolean {
  return (connection as StreamingConnection)[IS_STREAMING] === true;
}

/** Waits for the data of a request. */
class Arrivals {
  #wake: () => void = () => undefined;
  readonly #onChange = (): void => this.#wake();

  constructor(private readonly request: IncomingMessage) {
    for (const event of CHANGES) request.on(event, this.#onChange);
  }

  end(): void {
    for (const event of CHANGES) this.request.off(event, this.#onChange);
  }

  /** Returns the next bytes, or undefined at the end of the body. */
  async next(stallMs: number): Promise<Buffer | undefined> {
    const { request } = this;
    for (;;) {
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) return chunk;
      if (request.readableEnded) return undefined;
      if (request.destroyed) throw new RequestAborted();
      await this.change(stallMs);
    }
  }

  private change(stallMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new PipitError({ code: 'request-timeout' })), stallMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Reads a whole body into `room`. Rejects with PipitError `payload-too-large` above `maxBytes`,
 * `unsupported-encoding` for a compressed body, `unavailable` if others needed the memory, and with RequestAborted if
 * the client disconnects.
 */
export function readBody(request: IncomingMessage, maxBytes: number, room: BodyRoom): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) {
    return Promise.resolve(EMPTY);
  }
  try {
    requireReadable(request, maxBytes);
  } catch (error) {
    return Promise.reject(error as PipitError);
  }
  const held = room.hold();
  return collect(request, maxBytes, held).finally(() => held.release());
}

function requireReadable({ headers }: IncomingMessage, maxBytes: number): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !IDENTITY.test(encoding)) {
    throw new PipitError({ code: 'unsupported-encoding', encoding: clip(encoding) });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
}

function collect(request: IncomingMessage, maxBytes: number, held: HeldBody): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let receivedBytes = 0;
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        // Read and discard the rest, so that a client that is still sending receives the response.
        request.off('data', onData);
        request.resume();
        reject(error as PipitError);
      }
    };
    const onData = (chunk: Buffer) =>
      attempt(() => {
        receivedBytes += chunk.length;
        if (receivedBytes > maxBytes) throw tooLarge();
        held.add(chunk);
      });
    request.on('data', onData);
    request.on('end', () => attempt(() => resolve(held.finish())));
    request.on('error', () => reject(new RequestAborted()));
    request.on('close', () => {
      if (!request.complete) reject(new RequestAborted());
    });
  });
}

function tooLarge(): PipitError {
  return new PipitError({ code: 'payload-too-large' });
}
