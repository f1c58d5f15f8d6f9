import { parseId } from './ids.js';

/** A line with an id, optionally surrounded by blanks, a carriage return or a byte order mark, all as Latin-1. */
const LINE = /^[ \t\u00ef\u00bb\u00bf]*([0-9]+)[ \t\r]*$/;

/** The start of a line at the end of a block: kept if it can become an id, otherwise marked as invalid. */
const START_OF_LINE = /^[ \t\u00ef\u00bb\u00bf]*(?:[0-9]+[ \t\r]*|\r[ \t\r]*)?$/;
const MAX_LINE_START = 64;
const NO_ID = '?';

export interface IdLines {
  readonly ids: readonly bigint[];
  /** The unfinished line for the next block, at most 64 characters. */
  readonly rest: string;
}

/**
 * Reads ids, one per line, from the next block of a file. `rest` comes from the previous block and is empty at first.
 * Lines that are not 64-bit ids are skipped (docs/api/compliance.md, "bad lines skipped").
 */
export function readIdLines(rest: string, block: Uint8Array): IdLines {
  const text = rest + Buffer.from(block.buffer, block.byteOffset, block.byteLength).toString('latin1');
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return { ids: lines.flatMap(idOf), rest: startOf(last) };
}

/** Returns the id of a last line without a line end, if it is one. */
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
