import { continued, DamagedGzip } from './gunzip.js';
import { RECOGNIZED_BYTES } from './recognize.js';
import { unpackedIfGzip } from './source.js';

/** Returns the first unpacked bytes: `RECOGNIZED_BYTES` or slightly more, or all bytes before damaged data. */
export async function beginningOf(packed: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of unpackedIfGzip(packed)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= RECOGNIZED_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof DamagedGzip)) throw error;
  }
  return Buffer.concat(chunks);
}

const LINE_FEED = 0x0a;

/** Reads the first line of a stream, or `RECOGNIZED_BYTES`; the returned `stream` repeats these bytes. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly start: Buffer; readonly stream: AsyncIterable<Uint8Array> }> {
  const chunks = stream[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < RECOGNIZED_BYTES && !hasLine(start)) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return { start, stream: continued(start, chunks) };
}

/** One line suffices, because a slow pipe may delay the next. */
function hasLine(bytes: Buffer): boolean {
  const end = bytes.lastIndexOf(LINE_FEED);
  return end >= 0 && !isBlank(bytes);
}

/** Reports whether there is only white space. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.toString('latin1').trim() === '';
}
