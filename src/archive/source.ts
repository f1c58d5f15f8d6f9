import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readingFile } from '../core/unreadable-file.js';
import { gunzipped } from './gunzip.js';

/** Where lines come from. */
export interface Source {
  /** As the operator named it. */
  readonly name: string;
  /** Identifies file and content well enough to resume by; absent for what cannot be read again. */
  readonly key?: string;
  /** Size as stored, for progress; absent when it is not known before the end. */
  readonly sizeBytes?: number;
  /** The file's path, or the bytes as they come: for whoever reads them elsewhere in place of `read`. */
  readonly origin: string | AsyncIterable<Uint8Array>;
  /** The unpacked bytes from an offset on, which must be 0 where there is no `key`. */
  read(fromByte: number): AsyncIterable<Uint8Array>;
  /** How many bytes of the file, as it is stored, were read; absent where that is what `read` gave. */
  readonly storedBytes?: () => number;
}

const CHUNK_BYTES = 256 * 1024;

/** A file, plain or gzip by its first bytes, whatever its name. Throws UnreadableFile. */
export async function fileSource(path: string): Promise<Source> {
  const { size, mtimeMs } = await readingFile(path, () => stat(path));
  const isGzip = isGzipStart(await readingFile(path, () => firstBytes(path)));
  let storedBytes = 0;
  const readPacked = async function* (): AsyncGenerator<Uint8Array, void> {
    storedBytes = 0;
    for await (const chunk of readFrom(path, 0)) {
      storedBytes += chunk.length;
      yield chunk;
    }
  };
  return {
    name: path,
    key: `${resolve(path)} ${size} ${Math.floor(mtimeMs)}`,
    sizeBytes: size,
    origin: path,
    read: (fromByte) => (isGzip ? skipBytes(gunzipped(readPacked()), fromByte) : readFrom(path, fromByte)),
    ...(isGzip && { storedBytes: () => storedBytes }),
  };
}

/** A stream that is read once, such as standard input; plain or gzip by its first bytes. */
export function streamSource(name: string, stream: AsyncIterable<Uint8Array>): Source {
  return { name, origin: stream, read: () => unpackedIfGzip(stream) };
}

function readFrom(path: string, start: number): AsyncIterable<Uint8Array> {
  return createReadStream(path, { start, highWaterMark: CHUNK_BYTES });
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** RFC 1952 section 2.3.1. */
function isGzipStart(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The bytes, unpacked where the first of them say that they are gzip. */
export async function* unpackedIfGzip(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.length < 2) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  const whole = continued(start, chunks);
  yield* isGzipStart(start) ? gunzipped(whole) : whole;
}

async function* continued(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (start.length > 0) yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* skipBytes(chunks: AsyncIterable<Uint8Array>, count: number): AsyncIterable<Uint8Array> {
  let left = count;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left > 0 ? chunk.subarray(left) : chunk;
    left = Math.max(0, left - chunk.length);
  }
}
