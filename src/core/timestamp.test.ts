import { expect, test } from 'vitest';
import { parseInstant, parseTimestamp } from './timestamp.js';

test('a time is parsed with and without milliseconds', () => {
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
])('"%s" is not a timestamp', (text) => expect(parseTimestamp(text)).toBeUndefined());

const noon = Date.UTC(2022, 1, 1, 12);

test.each([
  ['2022-02-01T12:00:00Z', noon],
  ['2022-02-01t12:00:00z', noon],
  ['2022-02-01T12:00:00.987654+00:00', noon],
  ['2022-02-01T12:00:00-00:00', noon],
  ['2022-02-01T06:30:00-05:30', noon],
  ['2022-02-02T02:00:00+14:00', noon],
])('the offset of %s is applied', (text, timeMs) => {
  expect(parseInstant(text)).toBe(timeMs);
});

test.each([
  '2022-02-01T12:00:00',
  '2022-02-01T12:00:00+0000',
  '2022-02-01T12:00:00+24:00',
  '2022-02-01T12:00:00+01:60',
  '2022-02-30T12:00:00+01:00',
  '2022-02-01T12:00:00Z+00:00',
])('"%s" is not an instant', (text) => expect(parseInstant(text)).toBeUndefined());
