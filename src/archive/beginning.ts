import { DamagedGzip, peek } from './gunzip.js';
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
export function peekLine(stream: AsyncIterable<Uint8Array>): ReturnType<typeof peek> {
  return peek(stream, (start) => start.length >= RECOGNIZED_BYTES || hasLine(start));
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
