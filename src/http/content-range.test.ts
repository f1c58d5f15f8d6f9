import { expect, test } from 'vitest';
import { parseContentRange } from './content-range.js';

test('no header means the whole file', () => {
  expect(parseContentRange(undefined)).toEqual({ kind: 'whole' });
});

test('reads ranges with and without a total', () => {
  const range = { kind: 'range', firstByte: 0, lastByte: 99 };
  expect(parseContentRange('bytes 0-99/200')).toEqual({ ...range, totalBytes: 200 });
  expect(parseContentRange('bytes 0-99/*')).toEqual(range);
  expect(parseContentRange(' Bytes 5-5/6 ')).toEqual({
    kind: 'range',
    firstByte: 5,
    lastByte: 5,
    totalBytes: 6,
  });
});

test('reads queries for the offset', () => {
  expect(parseContentRange('bytes */*')).toEqual({ kind: 'query' });
  expect(parseContentRange('bytes */0')).toEqual({ kind: 'query', totalBytes: 0 });
});

test.each([
  '',
  'bytes',
  'bytes 0-99',
  'bytes -1-99/200',
  'bytes 9-8/200',
  'bytes 0-200/200',
  'bytes 0-/200',
  'bytes 0-99/-1',
  'bytes 0x0-99/200',
  'bytes 0-9999999999999999999/*',
  'items 0-99/200',
  'bytes 0-99/200, bytes 0-99/200',
])('%j is invalid', (header) => {
  expect(parseContentRange(header)).toBeUndefined();
});
