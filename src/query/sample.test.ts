import { expect, test } from 'vitest';
import { samplePercentile } from './sample.js';

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
