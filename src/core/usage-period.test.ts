import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, postCap, usageDay, usagePeriod } from './usage-period.js';

const period = (now: string, created: string): string[] => {
  const { first, next } = usagePeriod(Date.parse(now), Date.parse(created));
  return [first, next].map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
};

describe('a month of the post cap', () => {
  it.each([
    ['2022-03-10T12:00:00Z', '2021-01-10T23:59:59Z', ['2022-03-10', '2022-04-10']],
    ['2022-03-09T23:59:59Z', '2021-01-10T00:00:00Z', ['2022-02-10', '2022-03-10']],
    ['2022-01-05T00:00:00Z', '2021-01-10T00:00:00Z', ['2021-12-10', '2022-01-10']],
    ['2022-12-31T00:00:00Z', '2021-01-01T00:00:00Z', ['2022-12-01', '2023-01-01']],
    ['2022-02-28T00:00:00Z', '2021-01-31T00:00:00Z', ['2022-02-28', '2022-03-31']],
    ['2022-03-30T00:00:00Z', '2021-01-31T00:00:00Z', ['2022-02-28', '2022-03-31']],
    ['2024-02-29T00:00:00Z', '2021-01-30T00:00:00Z', ['2024-02-29', '2024-03-30']],
  ])('around %s, of an app created at %s, is %j', (now, created, days) => {
    expect(period(now, created)).toEqual(days);
  });

  it('contains the given time, lasts 28 to 31 days, and is followed by the next', () => {
    const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
    fc.assert(
      fc.property(time, time, (nowMs, createdAtMs) => {
        const { first, next } = usagePeriod(nowMs, createdAtMs);
        const day = usageDay(nowMs);
        expect(first <= day && day < next).toBe(true);
        expect(next - first).toBeGreaterThanOrEqual(28);
        expect(next - first).toBeLessThanOrEqual(31);
        expect(usagePeriod(next * DAY_MS, createdAtMs).first).toBe(next);
      }),
    );
  });
});

it('the cap depends on the access level and is highest for research (docs/api/authentication.md#levels-and-tracks)', () => {
  const caps = (['essential', 'elevated', 'basic'] as const).map((accessLevel) =>
    (['standard', 'academic_research'] as const).map((track) => postCap({ accessLevel, track })),
  );
  expect(caps).toEqual([
    [500_000, 10_000_000],
    [2_000_000, 10_000_000],
    [10_000, 10_000_000],
  ]);
});
