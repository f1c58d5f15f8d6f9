import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastIdLine, readIdLines } from './id-lines.js';

/** Reads a file in blocks. */
function readBlocks(blocks: readonly Buffer[]): bigint[] {
  const ids: bigint[] = [];
  let rest = '';
  for (const block of blocks) {
    const read = readIdLines(rest, block);
    expect(read.rest.length).toBeLessThanOrEqual(64);
    ids.push(...read.ids);
    rest = read.rest;
  }
  return [...ids, ...lastIdLine(rest)];
}

function readWhole(text: string): bigint[] {
  return readBlocks([Buffer.from(text)]);
}

test('reads one id per line, with either line end and without a final one', () => {
  expect(readWhole('1\n22\r\n333')).toEqual([1n, 22n, 333n]);
  expect(readWhole('1\n22\n')).toEqual([1n, 22n]);
  expect(readWhole('')).toEqual([]);
});

test('skips blank lines, names, signs, fractions and numbers over 64 bits', () => {
  const bad = ['', 'bob', '-1', '1.5', '1,2', '0x10', '9223372036854775808', '1'.repeat(20), '1 2', '١'];
  expect(readWhole([...bad, '9223372036854775807', ...bad].join('\n'))).toEqual([9223372036854775807n]);
});

test('accepts blanks around an id and a byte order mark before it', () => {
  expect(readWhole('\uFEFF7\n \t8 \n')).toEqual([7n, 8n]);
});

test('skips bytes that are not text, including NUL', () => {
  expect(readBlocks([Buffer.from([0, 0xff, 0x0a, 0x31, 0x0a, 0x00])])).toEqual([1n]);
});

test('reads the same ids for every division of the file into blocks', () => {
  const line = fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << 63n) + 5n }).map(String),
    fc.constantFrom('', 'bob', '12x', ' 5', '6 ', '\r', 'x'.repeat(100), '1'.repeat(100)),
  );
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 200 })), (lines, cuts) => {
      const file = Buffer.from(lines.join('\n'));
      const ends = [
        ...cuts.filter((cut) => cut < file.length).sort((one, other) => one - other),
        file.length,
      ];
      const blocks = ends.map((end, index) => file.subarray(ends[index - 1] ?? 0, end));
      expect(readBlocks(blocks)).toEqual(readBlocks([file]));
    }),
  );
});

test('an endless line is not kept in memory', () => {
  const blocks = Array.from({ length: 50 }, () => Buffer.alloc(100_000, '1'));
  expect(readBlocks([...blocks, Buffer.from('\n5\n')])).toEqual([5n]);
});
