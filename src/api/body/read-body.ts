import type { IncomingMessage } from 'node:http';
import { PipitError } from '../../core/errors.js';
import { clip } from '../faults.js';

const EMPTY = Buffer.alloc(0);

/** A list of encodings that leave a body as it is, such as the empty one (RFC 9110 8.4). */
const IDENTITY = /^[\s,]*(?:identity[\s,]*)*$/i;

/** The client went away before its request was complete; there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/**
 * The chunks of a body as they arrive. Throws PipitError `payload-too-large` and `unsupported-encoding`, at once for what
 * the headers tell; reading throws them later, and RequestAborted when the body is cut off.
 */
export function openBody(request: IncomingMessage, maxBytes: number): AsyncIterable<Buffer> {
  requireReadable(request, maxBytes);
  return chunksOf(request, maxBytes);
}

async function* chunksOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  try {
    // A reader who has seen enough must not cut the connection over which the answer goes.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      receivedBytes += (chunk as Buffer).length;
      if (receivedBytes > maxBytes) throw tooLarge();
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof PipitError ? error : new RequestAborted();
  } finally {
    // The rest is read and dropped, so that a client still sending gets to see the answer.
    request.resume();
  }
}

/**
 * Reads a whole body. Rejects with PipitError `payload-too-large` above `maxBytes` and `unsupported-encoding` for one
 * that is compressed, with RequestAborted when cut off.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) {
    return Promise.resolve(EMPTY);
  }
  try {
    requireReadable(request, maxBytes);
  } catch (error) {
    return Promise.reject(error as PipitError);
  }
  return collect(request, maxBytes);
}

function requireReadable({ headers }: IncomingMessage, maxBytes: number): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !IDENTITY.test(encoding)) {
    throw new PipitError({ code: 'unsupported-encoding', encoding: clip(encoding) });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    const onData = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and dropped, so that a client still sending gets to see the answer.
      request.off('data', onData);
      request.resume();
      reject(tooLarge());
    };
    request.on('data', onData);
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks)));
    request.on('error', () => reject(new RequestAborted()));
    request.on('close', () => {
      if (!request.complete) reject(new RequestAborted());
    });
  });
}

function tooLarge(): PipitError {
  return new PipitError({ code: 'payload-too-large' });
}
