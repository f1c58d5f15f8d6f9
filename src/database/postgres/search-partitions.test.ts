import { describe, expect, test } from 'vitest';
import { MAX_ID } from '../../core/ids.js';
import { rangeFor } from './search-partitions.js';

const DAY = 86_400_000n << 22n;
const id = 1_500_000_000_000_000_000n;

function widthOf({ firstId, endId }: ReturnType<typeof rangeFor>): bigint {
  return endId - firstId;
}

describe('the range of a partition', () => {
  test('is as wide as 50,000 documents are at the pace of those that are there', () => {
    expect(widthOf(rangeFor(id, { pace: { documents: 1_000, span: DAY } }))).toBe(50n * DAY);
    expect(widthOf(rangeFor(id, { pace: { documents: 1_000_000, span: DAY } }))).toBe(DAY / 20n);
  });

  test('is an hour at least and a year at most, and some days where nothing tells', () => {
    const [hour, year] = [DAY / 24n, 365n * DAY];
    for (const pace of [
      { documents: 1_000_000, span: 1n },
      { documents: 100, span: year },
    ]) {
      const width = widthOf(rangeFor(id, { pace }));
      expect(width).toBeGreaterThan(hour);
      expect(width).toBeLessThan(2n * year);
    }
    expect(widthOf(rangeFor(id, {}))).toBeGreaterThan(2n * DAY);
  });

  test('begins where the one below ends, or ends where the one above begins, when these are near', () => {
    const below = { firstId: id - 20n * DAY, endId: id - DAY };
    const above = { firstId: id + DAY, endId: id + 20n * DAY };
    const pace = { documents: 10_000, span: DAY };
    expect(rangeFor(id, { below, pace })).toEqual({ firstId: below.endId, endId: below.endId + 5n * DAY });
    expect(rangeFor(id, { above, pace })).toEqual({
      firstId: above.firstId - 5n * DAY,
      endId: above.firstId,
    });
    expect(rangeFor(id, { below, above, pace })).toEqual({ firstId: below.endId, endId: above.firstId });
  });

  test('holds the id and overlaps nothing, wherever that is', () => {
    const ids = [0n, 1n, 20n, 1n << 34n, id, MAX_ID - 1n, MAX_ID];
    for (const each of ids) {
      for (const [below, above] of [
        [undefined, undefined],
        [{ firstId: 0n, endId: each }, undefined],
        [undefined, { firstId: each + 1n, endId: each + 2n }],
      ]) {
        const range = rangeFor(each, { below, above });
        expect(range.firstId).toBeGreaterThanOrEqual(below?.endId ?? 0n);
        expect(range.firstId).toBeLessThanOrEqual(each);
        expect(range.endId).toBeGreaterThan(each);
        expect(range.endId).toBeLessThanOrEqual(above?.firstId ?? MAX_ID + 1n);
      }
    }
  });
});
