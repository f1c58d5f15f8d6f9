import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ID } from './ids.js';
import { createSnowflakes, firstIdAt, MAX_WORKER_ID, SNOWFLAKE_EPOCH_MS, timeOfId } from './snowflake.js';

const NOW_MS = Date.UTC(2026, 0, 1);
/** The last millisecond that fits in 41 bits. */
const LAST_MS = SNOWFLAKE_EPOCH_MS + 2 ** 41 - 1;
const times = fc.integer({ min: SNOWFLAKE_EPOCH_MS, max: LAST_MS - 1_000 });

describe('snowflakes', () => {
  test('a known id contains the time of its post', () => {
    expect(new Date(timeOfId(1212092628029698048n) ?? 0).toISOString()).toBe('2019-12-31T19:26:16.771Z');
  });

  test('each id exceeds the one before it, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(times, { minLength: 2 }),
        fc.integer({ min: 0, max: MAX_WORKER_ID }),
        (clocks, worker) => {
          const left = [...clocks];
          const source = createSnowflakes(() => left.shift() ?? 0, worker);
          const ids = clocks.map(() => source.next());
          ids.forEach((id, index) => {
            expect(index === 0 || id > (ids[index - 1] ?? id)).toBe(true);
            expect(Number((id >> 12n) & 1023n)).toBe(worker);
            expect(id <= MAX_ID).toBe(true);
          });
        },
      ),
    );
  });

  test('more than 4096 ids in a millisecond run ahead of the clock', () => {
    const source = createSnowflakes(() => NOW_MS, 3);
    const ids = Array.from({ length: 10_000 }, () => source.next());
    expect(new Set(ids).size).toBe(10_000);
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
    expect(source.lastMs()).toBe(NOW_MS + 2);
  });

  test('sources with different workers never generate the same id', () => {
    const sources = [0, 1, 1023].map((worker) => createSnowflakes(() => NOW_MS, worker));
    const ids = sources.flatMap((source) => Array.from({ length: 100 }, () => source.next()));
    expect(new Set(ids).size).toBe(300);
  });

  test('ids exceed every id of the floor time', () => {
    const source = createSnowflakes(() => NOW_MS - 5_000, 0, NOW_MS);
    expect(source.next() >= firstIdAt(NOW_MS + 1)).toBe(true);
  });

  test('the time of an id and the first id of a time are consistent', () => {
    // The snowflakes of the first seconds look like older ids.
    const laterTimes = times.filter((timeMs) => timeMs > SNOWFLAKE_EPOCH_MS + 10_000);
    fc.assert(
      fc.property(laterTimes, (timeMs) => {
        const source = createSnowflakes(() => timeMs, MAX_WORKER_ID);
        const id = source.next();
        expect(id >= firstIdAt(timeMs) && id < firstIdAt(timeMs + 2)).toBe(true);
        expect(timeOfId(id)).toBe(source.lastMs());
      }),
    );
  });

  test('a sequential id has no time, and times before the epoch give id 0', () => {
    expect(timeOfId(20n)).toBeUndefined();
    expect(firstIdAt(0)).toBe(0n);
  });

  test.each([-1, 1024, 1.5])('worker id %d is refused', (worker) => {
    expect(() => createSnowflakes(() => NOW_MS, worker)).toThrow(RangeError);
  });
});
