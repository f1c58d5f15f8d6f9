import { expect, test } from 'vitest';
import { shuffled, zipf } from '../../bench/zipf.js';
import { seeded } from '../support/random-search.js';

test('draws ranks in proportion to 1 / (rank + offset)', () => {
  const rank = zipf(4, seeded(1), 5);
  const counts = [0, 0, 0, 0];
  for (let draw = 0; draw < 100_000; draw += 1) {
    const drawn = rank();
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  const sum = 1 / 5 + 1 / 6 + 1 / 7 + 1 / 8;
  for (const [at, count] of counts.entries()) expect(count / 100_000).toBeCloseTo(1 / (at + 5) / sum, 2);
});

test('draws the first and the last rank at the ends of the random numbers', () => {
  expect(zipf(3, () => 0)()).toBe(0);
  expect(zipf(3, () => 1 - Number.EPSILON)()).toBe(2);
});

test('repeats the draws of a seed', () => {
  const [one, other] = [zipf(50, seeded(7)), zipf(50, seeded(7))];
  expect(Array.from({ length: 20 }, one)).toEqual(Array.from({ length: 20 }, other));
});

test('shuffles a copy', () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const mixed = shuffled(items, seeded(3));
  expect(mixed).not.toEqual(items);
  expect(mixed.toSorted((one, other) => one - other)).toEqual(items);
});
