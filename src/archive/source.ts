import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readingFile } from '../core/unreadable-file.js';
import { gunzipped, peek } from './gunzip.js';

/** A source of lines. */
export interface Source {
  /** The name given by the operator. */
  readonly name: string;
  /** Identifies file and content for resuming; absent for sources that cannot be read again. */
  readonly key?: string;
  /** The stored size, for progress; absent when unknown. */
  readonly sizeBytes?: number;
  /** The path, or the byte stream; used instead of `read` when another thread reads the source. */
  readonly origin: string | AsyncIterable<Uint8Array>;
  /** Returns the unpacked bytes from an offset on; the offset must be 0 without a `key`. */
  read(fromByte: number): AsyncIterable<Uint8Array>;
  /** Returns the number of stored bytes read; absent when `read` returns the stored bytes. */
  readonly storedBytes?: () => number;
}

const CHUNK_BYTES = 256 * 1024;

/** Opens a plain or gzip file, detected by its first bytes. Throws UnreadableFile. */
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

/** Wraps a stream that can be read once, such as standard input; plain or gzip. */
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

/** RFC 1952, section 2.3.1. */
function isGzipStart(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Unpacks the stream if its first bytes are a gzip signature. */
export async function* unpackedIfGzip(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { start, stream: all } = await peek(stream, ({ length }) => length >= 2);
  yield* isGzipStart(start) ? gunzipped(all) : all;
}

async function* skipBytes(chunks: AsyncIterable<Uint8Array>, count: number): AsyncIterable<Uint8Array> {
  let left = count;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left > 0 ? chunk.subarray(left) : chunk;
    left = Math.max(0, left - chunk.length);
  }
}
