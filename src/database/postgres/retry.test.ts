import { describe, expect, test } from 'vitest';
import { Conflict } from './driver-errors.js';
import { createKeyedQueue } from './keyed-queue.js';
import { retryConflicts, type Queue } from './retry.js';

/** Creates a counter with optimistic concurrency: of all concurrent increments only the first succeeds. */
function createCounter() {
  const state = { value: 0, tries: 0, running: 0, most: 0 };
  const increment = async (): Promise<number> => {
    const seen = state.value;
    state.tries += 1;
    state.most = Math.max(state.most, (state.running += 1));
    await new Promise(setImmediate);
    state.running -= 1;
    if (state.value !== seen) throw new Conflict('another came first');
    return (state.value = seen + 1);
  };
  return { state, increment };
}

const LIMIT_MS = 5_000;

describe('work that conflicts', () => {
  test('always succeeds after few attempts, because conflicting work is queued', async () => {
    const { state, increment } = createCounter();
    const queues = createKeyedQueue();
    const once = () => retryConflicts(increment, LIMIT_MS, (work) => queues.run('count', work));
    const values = await Promise.all(Array.from({ length: 500 }, once));
    expect(new Set(values).size).toBe(500);
    // One concurrent attempt, and one in the queue.
    expect(state.tries).toBe(2 * 500 - 1);
  });

  test('waits in the queue no longer than its limit and then fails with its last conflict', async () => {
    const queues = createKeyedQueue();
    let release: () => void = () => undefined;
    const blocked = queues.run('count', () => new Promise<void>((resolve) => (release = resolve)));
    let tries = 0;
    const conflict = new Conflict('always');
    const work = () => {
      tries += 1;
      return Promise.reject(conflict);
    };
    const queued: Queue = (turn) => queues.run('count', turn);
    await expect(retryConflicts(work, 20, queued)).rejects.toBe(conflict);
    release();
    await blocked;
    expect(await queues.run('count', () => Promise.resolve('next'))).toBe('next');
    expect(tries).toBe(1);
  });

  test('fails immediately with other errors, and the queue continues', async () => {
    const queues = createKeyedQueue();
    const failure = new Error('no');
    let tries = 0;
    const failing = retryConflicts(
      () => Promise.reject((tries += 1) < 2 ? new Conflict('met') : failure),
      LIMIT_MS,
      (work) => queues.run('count', work),
    );
    await expect(failing).rejects.toBe(failure);
    expect(await queues.run('count', () => Promise.resolve('next'))).toBe('next');
  });

  test('does not wait for work of another name', async () => {
    const queues = createKeyedQueue();
    let release: () => void = () => undefined;
    const blocked = queues.run('count', () => new Promise<void>((resolve) => (release = resolve)));
    expect(await queues.run('follow', () => Promise.resolve('through'))).toBe('through');
    release();
    await blocked;
  });
});
