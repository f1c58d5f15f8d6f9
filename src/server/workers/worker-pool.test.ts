import { expect, it } from 'vitest';
import { replacementDelayMs } from './worker-pool.js';

it('a worker is replaced at once, with growing delays when workers repeatedly end soon after their start', () => {
  expect([0, 1, 2, 3, 8, 9, 100, 5000].map(replacementDelayMs)).toEqual([
    0, 200, 400, 800, 25_600, 30_000, 30_000, 30_000,
  ]);
});
