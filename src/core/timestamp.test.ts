import { expect, test } from 'vitest';
import { parseTimestamp } from './timestamp.js';

test('a time is read with and without milliseconds', () => {
  expect(parseTimestamp('2022-02-28T23:59:59Z')).toBe(Date.UTC(2022, 1, 28, 23, 59, 59));
  expect(parseTimestamp('2024-02-29T00:00:00.120Z')).toBe(Date.UTC(2024, 1, 29, 0, 0, 0, 120));
});

test.each([
  '',
  'noon',
  '2022-02-30T00:00:00Z',
  '2022-02-01T24:00:00Z',
  '2022-02-01',
  '2022-02-01T00:00:00+01:00',
])('"%s" is none', (text) => expect(parseTimestamp(text)).toBeUndefined());
