import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import { createLock } from './lock.js';

const never = new Promise<void>(() => undefined);

describe('the lock', () => {
  test('runs one piece of work at a time, in order', async () => {
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

  test('is released after work that throws', async () => {
    const lock = createLock();
    await expect(lock.run(1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lock.run(1_000, () => Promise.resolve('next'))).toBe('next');
  });

  test('refuses work that waited too long', async () => {
    const lock = createLock();
    void lock.run(1_000, () => never);
    // The lock's timer does not keep the process running, so this test does.
    const keepAlive = setInterval(() => undefined, 1_000);
    const waiting = [lock.run(5, () => never), lock.run(10, () => never)];
    for (const waiter of waiting) await expect(waiter).rejects.toThrow(StorageUnavailable);
    clearInterval(keepAlive);
  });
});
