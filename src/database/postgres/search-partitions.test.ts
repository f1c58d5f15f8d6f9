import { describe, expect, test } from 'vitest';
import { MAX_ID } from '../../core/ids.js';
import { rangeFor } from './search-partitions.js';

const DAY = 86_400_000n << 22n;
const id = 1_500_000_000_000_000_000n;

function widthOf({ firstId, endId }: ReturnType<typeof rangeFor>): bigint {
  return endId - firstId;
}

describe('the range of a partition', () => {
  test('is as wide as 50,000 documents at the density of the existing ones', () => {
    expect(widthOf(rangeFor(id, { density: { documents: 1_000, span: DAY } }))).toBe(50n * DAY);
    expect(widthOf(rangeFor(id, { density: { documents: 1_000_000, span: DAY } }))).toBe(DAY / 20n);
  });

  test('is between an hour and a year, and some days without a known density', () => {
    const [hour, year] = [DAY / 24n, 365n * DAY];
    for (const density of [
      { documents: 1_000_000, span: 1n },
      { documents: 100, span: year },
    ]) {
      const width = widthOf(rangeFor(id, { density }));
      expect(width).toBeGreaterThan(hour);
      expect(width).toBeLessThan(2n * year);
    }
    expect(widthOf(rangeFor(id, {}))).toBeGreaterThan(2n * DAY);
  });

  test('is adjacent to the partition below or above if one is near', () => {
    const below = { firstId: id - 20n * DAY, endId: id - DAY };
    const above = { firstId: id + DAY, endId: id + 20n * DAY };
    const density = { documents: 10_000, span: DAY };
    expect(rangeFor(id, { below, density })).toEqual({ firstId: below.endId, endId: below.endId + 5n * DAY });
    expect(rangeFor(id, { above, density })).toEqual({
      firstId: above.firstId - 5n * DAY,
      endId: above.firstId,
    });
    expect(rangeFor(id, { below, above, density })).toEqual({ firstId: below.endId, endId: above.firstId });
  });

  test('contains the id and overlaps no other, for every id', () => {
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
