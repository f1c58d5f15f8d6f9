import { expect, test } from 'vitest';
import type { UserId } from '../core/ids.js';
import { createFileSlots } from './file-slots.js';

test('a user has four slots, apart from those of others, and gets them back', () => {
  const slots = createFileSlots();
  const [alice, bob] = [1n as UserId, 2n as UserId];
  const given = [1, 2, 3, 4].map(() => slots.take(alice));
  expect(() => slots.take(alice)).toThrow();
  slots.take(bob)();
  for (const giveBack of given) giveBack();
  expect([1, 2, 3, 4].map(() => slots.take(alice))).toHaveLength(4);
});
