import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import { createLock } from './lock.js';

const never = new Promise<void>(() => undefined);

describe('the lock', () => {
  test('lets one piece of work run at a time, in the order of asking', async () => {
    const lock = createLock();
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => lock.run(1_000, work(name))));
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('is free again after work that throws', async () => {
    const lock = createLock();
    await expect(lock.run(1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lock.run(1_000, () => Promise.resolve('next'))).toBe('next');
  });

  test('refuses those who waited too long behind work that does not end', async () => {
    const lock = createLock();
    void lock.run(1_000, () => never);
    // The timer for waiters does not keep the process running; this test does.
    const keepAlive = setInterval(() => undefined, 1_000);
    const waiting = [lock.run(5, () => never), lock.run(10, () => never)];
    for (const waiter of waiting) await expect(waiter).rejects.toThrow(StorageUnavailable);
    clearInterval(keepAlive);
  });
});
