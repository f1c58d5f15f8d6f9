import { parseId } from './ids.js';

/** What blanks, a carriage return and a byte order mark, all as Latin-1, may stand around an id. */
const LINE = /^[ \t\u00ef\u00bb\u00bf]*([0-9]+)[ \t\r]*$/;

/** The part of a line that a block ended in: kept when it may still become an id, else known to be none. */
const START_OF_LINE = /^[ \t\u00ef\u00bb\u00bf]*(?:[0-9]+[ \t\r]*|\r[ \t\r]*)?$/;
const MAX_LINE_START = 64;
const NO_ID = '?';

export interface IdLines {
  readonly ids: readonly bigint[];
  /** The line that has not ended yet, of at most 64 characters; for the next block. */
  readonly rest: string;
}

/**
 * Reads ids, one a line, from the next block of a file; `rest` is that of the block before, empty at first. Lines that
 * are no id of 64 bits are passed over (docs/api/compliance.md, "bad lines skipped").
 */
export function readIdLines(rest: string, block: Uint8Array): IdLines {
  const text = rest + Buffer.from(block.buffer, block.byteOffset, block.byteLength).toString('latin1');
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return { ids: lines.flatMap(idOf), rest: startOf(last) };
}

/** The id of the line with which a file ends without a line end, if it is one. */
export function lastIdLine(rest: string): readonly bigint[] {
  return idOf(rest);
}

function idOf(line: string): readonly bigint[] {
  const digits = LINE.exec(line)?.[1];
  const id = digits === undefined ? undefined : parseId<bigint>(digits);
  return id === undefined ? [] : [id];
}

function startOf(line: string): string {
  return line.length <= MAX_LINE_START && START_OF_LINE.test(line) ? line : NO_ID;
}
