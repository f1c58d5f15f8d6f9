import { expect, test } from 'vitest';
import type { UserId } from '../../core/ids.js';
import { createTurns } from './turns.js';

test('each user runs one task at a time with a bounded queue, independently of other users', async () => {
  const turns = createTurns();
  const [wren, heron] = [101n as UserId, 102n as UserId];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
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
  release();
  const statuses = (await settled).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'rejected')).toHaveLength(3);
  await expect(all[19]).rejects.toMatchObject({ failure: { code: 'unavailable' } });
  expect(await turns(wren, () => Promise.resolve('again'))).toBe('again');
});
