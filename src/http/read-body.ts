import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { PipitError } from '../core/errors.js';
import { clip } from './faults.js';
import type { BodyRoom, HeldBody } from './body-room.js';

/** Bodies are refused above this size unless an endpoint says otherwise. */
export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** A list of encodings that leave a body as it is, such as the empty one (RFC 9110 8.4). */
const IDENTITY = /^[\s,]*(?:identity[\s,]*)*$/i;

/** An upload of which nothing came for so long is given up. */
const STALL_MS = 30_000;

/** What tells that there is more of a body, or no more. */
const CHANGES = ['readable', 'end', 'error', 'close'] as const;

const IS_PATIENT = Symbol('is patient');

interface PatientConnection extends Duplex {
  [IS_PATIENT]?: boolean;
}

/** The client went away before its request was complete; there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/**
 * The chunks of a body as they arrive. It may take as long as it needs, but no longer than `stallMs` without a byte.
 * Throws PipitError `payload-too-large` and `unsupported-encoding`, at once for what the headers tell; reading throws
 * them later, `request-timeout` when nothing comes any more, and RequestAborted when the body is cut off.
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
  const connection: PatientConnection = request.socket;
  connection[IS_PATIENT] = true;
  const arrivals = new Arrivals(request);
  let receivedBytes = 0;
  try {
    for (let chunk = await arrivals.next(stallMs); chunk; chunk = await arrivals.next(stallMs)) {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  } finally {
    connection[IS_PATIENT] = false;
    arrivals.end();
    dropRest(request, stallMs);
  }
}

/** The rest is read and dropped, so that a client still sending gets to see the answer; for so long and no longer. */
function dropRest(request: IncomingMessage, limitMs: number): void {
  request.resume();
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), limitMs);
  request.on('close', () => clearTimeout(timer));
}

/**
 * True while a body is read over the connection whose time is not bounded as a whole: who sends it was authenticated, or
 * has a signed link, and must keep on sending.
 */
export function isPatient(connection: Duplex): boolean {
  return (connection as PatientConnection)[IS_PATIENT] === true;
}

/** What comes over a connection, waited for. */
class Arrivals {
  #wake: () => void = () => undefined;
  readonly #onChange = (): void => this.#wake();

  constructor(private readonly request: IncomingMessage) {
    for (const event of CHANGES) request.on(event, this.#onChange);
  }

  end(): void {
    for (const event of CHANGES) this.request.off(event, this.#onChange);
  }

  /** The next bytes; undefined at the end of the body. */
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
 * Reads a whole body into `room`. Rejects with PipitError `payload-too-large` above `maxBytes`, `unsupported-encoding` for
 * one that is compressed, `unavailable` when others needed the room, and with RequestAborted when cut off.
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
        // The rest is read and dropped, so that a client still sending gets to see the answer.
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
