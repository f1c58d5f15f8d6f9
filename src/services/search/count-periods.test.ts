import { describe, expect, test } from 'vitest';
import { edgesOf, lastPageOf, type Granularity } from './count-periods.js';

const at = (time: string): number => Date.parse(`2022-${time}Z`);
const shown = (timeMs: number): string => new Date(timeMs).toISOString().slice(5, 19);
const span = (from: string, before: string) => ({ fromMs: at(from), beforeMs: at(before) });

describe('periods start at whole minutes, hours and days in UTC, except at the bounds (docs/api/search.md#counts)', () => {
  test.each<[Granularity, string, string, string[]]>([
    ['hour', '10-07T22:41:42', '10-07T22:41:43', []],
    ['hour', '10-07T22:00:00', '10-07T23:00:00', []],
    ['hour', '10-07T22:59:59', '10-07T23:00:01', ['10-07T23:00:00']],
    ['hour', '10-07T22:00:00', '10-08T00:30:00', ['10-07T23:00:00', '10-08T00:00:00']],
    ['minute', '10-07T22:41:42', '10-07T22:43:00', ['10-07T22:42:00']],
    ['day', '02-27T12:00:00', '03-01T00:00:01', ['02-28T00:00:00', '03-01T00:00:00']],
  ])('%s from %s to %s: %j between', (granularity, from, before, between) => {
    expect(edgesOf(span(from, before), granularity).map(shown)).toEqual([from, ...between, before]);
  });
});

describe('a page of archive counts covers at most 31 days', () => {
  test.each([
    ['10-07T12:00:00', '09-07T00:00:00'],
    // The last second of a day and the end of that day are on the same page.
    ['10-07T23:59:59', '09-07T00:00:00'],
    ['10-08T00:00:00', '09-07T00:00:00'],
    ['10-08T00:00:01', '09-08T00:00:00'],
  ])('a page that ends at %s starts at %s', (before, from) => {
    expect(shown(lastPageOf(span('01-01T00:00:00', before)).fromMs)).toBe(from);
  });

  test('a page starts no earlier than the span', () => {
    expect(lastPageOf(span('09-20T06:30:00', '10-07T12:00:00'))).toEqual(
      span('09-20T06:30:00', '10-07T12:00:00'),
    );
  });
});
