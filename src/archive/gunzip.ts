import { createGunzip, type Gunzip } from 'node:zlib';
import { NamedError } from '../core/named-error.js';

/** Thrown for a truncated or damaged gzip stream, after all readable data was returned. */
export class DamagedGzip extends NamedError {}

/** Small, so that the unpacked piece, which may be a thousand times as large, fits in memory. */
const PIECE_BYTES = 16 * 1024;

/**
 * Unpacks gzip (RFC 1952), including concatenated members. Throws DamagedGzip after the last readable byte; Node's
 * streams would discard buffered output on an error.
 */
export async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  const unpacked: Uint8Array[] = [];
  gunzip.on('data', (chunk: Uint8Array) => unpacked.push(chunk));
  let failure: Error | undefined;
  let settle = (): void => undefined;
  gunzip.once('error', (error) => {
    failure = error;
    settle();
  });
  const attempt = (step: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      settle = resolve;
      if (failure) resolve();
      else step(resolve);
    });
  try {
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        await attempt((done) => gunzip.write(chunk.subarray(at, at + PIECE_BYTES), done));
        yield* unpacked.splice(0);
        if (failure) throw damaged(failure);
      }
    }
    await attempt((done) => end(gunzip, done));
    yield* unpacked.splice(0);
    if (failure) throw damaged(failure);
  } finally {
    gunzip.destroy();
  }
}

function end(gunzip: Gunzip, done: () => void): void {
  gunzip.once('end', done);
  gunzip.end();
}

function damaged(cause: Error): DamagedGzip {
  return new DamagedGzip(`damaged gzip data: ${cause.message}`, { cause });
}

/** Reads a stream until `isEnough` or its end; the returned `stream` repeats these bytes. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  isEnough: (start: Buffer) => boolean,
): Promise<{ readonly start: Buffer; readonly stream: AsyncIterable<Uint8Array> }> {
  const chunks = stream[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (!isEnough(start)) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return { start, stream: continued(start, chunks) };
}

/** Yields `start`, then the rest. */
async function* continued(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (start.length > 0) yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
