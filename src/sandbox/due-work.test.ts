import { expect, test } from 'vitest';
import { isLongMovement } from './due-work.js';

test('a movement of the clock is long if it takes more than 30 days', () => {
  const monthMs = 30 * 86_400_000;
  expect([monthMs, monthMs + 1].map(isLongMovement)).toEqual([false, true]);
});
