import { expect, test } from 'vitest';
import { backoffMs } from './backoff.js';

const longest = () => 1;
const shortest = () => 0;

test('the delay doubles with each attempt, from a second up to an hour', () => {
  const delays = [1, 2, 3, 4, 12, 13, 20, 2_000].map((attempt) => backoffMs(attempt, longest));
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000, 3_600_000]);
});

test('jitter removes up to half of the delay', () => {
  expect(backoffMs(3, shortest)).toBe(2_000);
  expect(backoffMs(3, () => 0.5)).toBe(3_000);
});
