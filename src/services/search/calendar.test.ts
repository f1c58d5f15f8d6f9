import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALENDAR_UNITS, calendarEdges } from './calendar.js';

const timesOf = (from: string, before: string, unit: (typeof CALENDAR_UNITS)[number]) =>
  calendarEdges({ fromMs: Date.parse(from), beforeMs: Date.parse(before) }, unit).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  );

test('periods start with the calendar, the outer ones end at the bounds', () => {
  expect(timesOf('2023-11-15T10:30Z', '2024-03-02T00:00Z', 'month')).toEqual([
    '2023-11-15T10:30',
    '2023-12-01T00:00',
    '2024-01-01T00:00',
    '2024-02-01T00:00',
    '2024-03-01T00:00',
    '2024-03-02T00:00',
  ]);
  expect(timesOf('2024-02-28T00:00Z', '2024-03-02T00:00Z', 'day')).toHaveLength(4);
  expect(timesOf('2023-12-31T23:10Z', '2024-01-01T01:00Z', 'hour')).toEqual([
    '2023-12-31T23:10',
    '2024-01-01T00:00',
    '2024-01-01T01:00',
  ]);
  expect(timesOf('2006-03-21T00:00Z', '2024-01-01T00:00Z', 'year')).toHaveLength(19);
});

test('edges ascend and cover the time', () => {
  const time = fc.integer({ min: 0, max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 40 * 24 * 3_600_000 }), (fromMs, lengthMs) => {
      for (const unit of CALENDAR_UNITS) {
        const edges = calendarEdges({ fromMs, beforeMs: fromMs + lengthMs }, unit);
        expect(edges[0]).toBe(fromMs);
        expect(edges.at(-1)).toBe(fromMs + lengthMs);
        expect(edges.every((edge, at) => at === 0 || edge > (edges[at - 1] ?? 0))).toBe(true);
      }
    }),
  );
});
