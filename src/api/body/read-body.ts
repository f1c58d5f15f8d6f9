import type { IncomingMessage } from 'node:http';
import { PipitError } from '../../core/errors.js';

const EMPTY = Buffer.alloc(0);

/** The client went away before its request was complete; there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

/** Reads a whole body. Rejects with PipitError `payload-too-large` above `maxBytes`, with RequestAborted when cut off. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) {
    return Promise.resolve(EMPTY);
  }
  if (declared !== undefined && Number(declared) > maxBytes) return Promise.reject(tooLarge());
  return collect(request, maxBytes);
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
