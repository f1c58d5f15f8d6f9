import { expect, test } from 'vitest';
import type { UserId } from '../../core/ids.js';
import { createTurns } from './turns.js';

test('one user has one turn at a time and some that wait; others have theirs meanwhile', async () => {
  const turns = createTurns();
  const [wren, heron] = [101n as UserId, 102n as UserId];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let running = 0;
  const slow = async () => {
    running += 1;
    await held;
    running -= 1;
  };
  const all = Array.from({ length: 20 }, () => turns(wren, slow));
  const settled = Promise.allSettled(all);
  expect(await turns(heron, () => Promise.resolve('done'))).toBe('done');
  expect(running).toBe(1);
  letGo();
  const statuses = (await settled).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'rejected')).toHaveLength(3);
  await expect(all[19]).rejects.toMatchObject({ failure: { code: 'unavailable' } });
  expect(await turns(wren, () => Promise.resolve('again'))).toBe('again');
});
