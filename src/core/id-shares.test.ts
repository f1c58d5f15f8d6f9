import { describe, expect, test } from 'vitest';
import { partOf, samplePercentile } from './id-shares.js';

test('adjacent and distant ids spread evenly over the percentiles', () => {
  for (const step of [1n, 4096n, 1n << 22n, 1_000_003n]) {
    const parts = new Array<number>(100).fill(0);
    for (let index = 0n; index < 20_000n; index++) {
      const part = samplePercentile(1_500_000_000_000_000_000n + index * step);
      parts[part] = (parts[part] ?? 0) + 1;
    }
    expect(Math.min(...parts)).toBeGreaterThan(120);
    expect(Math.max(...parts)).toBeLessThan(280);
  }
});

test('a post keeps its percentile', () => {
  expect(samplePercentile(1_460_323_737_035_677_698n)).toBe(samplePercentile(1_460_323_737_035_677_698n));
});

const START = 1_500_000_000_000_000_000n;

/** Counts the ids of each part. */
function counts(ids: readonly bigint[], parts: number): number[] {
  const found = Array.from({ length: parts }, () => 0);
  for (const id of ids) {
    const part = partOf(id, parts);
    found[part - 1] = (found[part - 1] ?? Number.NaN) + 1;
  }
  return found;
}

describe('ids spread evenly over parts', () => {
  test.each([
    ['adjacent', 1n],
    ['of adjacent milliseconds', 1n << 22n],
    ['of adjacent seconds', 1_000n << 22n],
  ])('%s', (_name, step) => {
    const ids = Array.from({ length: 20_000 }, (_, n) => START + BigInt(n) * step);
    for (const parts of [2, 4, 8, 20])
      for (const count of counts(ids, parts)) {
        expect(count).toBeGreaterThan((0.85 * ids.length) / parts);
        expect(count).toBeLessThan((1.15 * ids.length) / parts);
      }
  });

  test('of a sample', () => {
    const ids = Array.from({ length: 100_000 }, (_, n) => START + (BigInt(n) << 22n));
    const sampled = ids.filter((id) => samplePercentile(id) < 10);
    for (const count of counts(sampled, 2)) expect(count).toBeGreaterThan(0.45 * sampled.length);
  });
});

test('the part of an id never changes', () => {
  expect([partOf(1_460_323_737_035_677_698n, 20), partOf(1n, 4), partOf(0n, 2)]).toEqual([3, 4, 1]);
});
