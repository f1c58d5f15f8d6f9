import { isUtf8 } from 'node:buffer';

/** A line of a file, without its line end. */
export interface Line {
  /** Counted from 1, including blank lines. */
  readonly number: number;
  /** The offset of the next line, in bytes of the unpacked file. */
  readonly endByte: number;
  /** The text; an excerpt when there is a fault. */
  readonly text: string;
  /** The reason why the line cannot be read. */
  readonly fault?: string;
  /** True when the line has no line end, so that the file may be truncated. */
  readonly isUnended: boolean;
}

/** The position at which reading starts. */
export interface LineStart {
  readonly lines: number;
  readonly bytes: number;
}

/** Pages of 500 posts with all fields take about 2 MiB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;
const EXCERPT_BYTES = 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Splits bytes into lines, and yields all lines completed by a chunk. Lines longer than `maxBytes` and lines that are
 * not UTF-8 are reported as faults, so memory is bounded.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  start: LineStart = { lines: 0, bytes: 0 },
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line[], void> {
  let number = start.lines;
  let endByte = start.bytes;
  let parts: Buffer[] = [];
  let length = 0;

  const keep = (part: Buffer): void => {
    // Keeps only an excerpt of a line that is too long.
    if (length <= maxBytes) parts.push(part);
    length += part.length;
    if (length > maxBytes) parts = [Buffer.from(Buffer.concat(parts).subarray(0, EXCERPT_BYTES))];
  };
  const take = (isUnended: boolean): Line => {
    number += 1;
    endByte += length + (isUnended ? 0 : 1);
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const fault = faultOf(bytes, length, maxBytes);
    parts = [];
    length = 0;
    return {
      number,
      endByte,
      isUnended,
      ...(fault ? { fault, text: excerpt(bytes) } : { text: textOf(bytes, number) }),
    };
  };

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      keep(bytes.subarray(from, at));
      lines.push(take(false));
      from = at + 1;
    }
    if (from < bytes.length) keep(bytes.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [take(true)];
}

function faultOf(bytes: Buffer, length: number, maxBytes: number): string | undefined {
  if (length > maxBytes) return `longer than ${maxBytes} bytes`;
  return isUtf8(bytes) ? undefined : 'not UTF-8';
}

function textOf(bytes: Buffer, number: number): string {
  const text = bytes.toString('utf8');
  return number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function excerpt(bytes: Buffer): string {
  return bytes.subarray(0, EXCERPT_BYTES).toString('utf8');
}
