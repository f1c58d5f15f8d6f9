import { describe, expect, test } from 'vitest';
import { Conflict } from './driver-errors.js';
import { createKeyedQueue } from './keyed-queue.js';
import { retryConflicts, type Lane } from './retry.js';

/** A counter that one may change at a time: of all that are under way together the first comes through. */
function createCounter() {
  const state = { value: 0, tries: 0, underWay: 0, most: 0 };
  const increment = async (): Promise<number> => {
    const seen = state.value;
    state.tries += 1;
    state.most = Math.max(state.most, (state.underWay += 1));
    await new Promise(setImmediate);
    state.underWay -= 1;
    if (state.value !== seen) throw new Conflict('another came first');
    return (state.value = seen + 1);
  };
  return { state, increment };
}

const LIMIT_MS = 5_000;

describe('work that conflicts', () => {
  test('comes through however many there are, each after a few tries: the losers go on one by one', async () => {
    const { state, increment } = createCounter();
    const lanes = createKeyedQueue();
    const once = () => retryConflicts(increment, LIMIT_MS, (work) => lanes.run('count', work));
    const values = await Promise.all(Array.from({ length: 500 }, once));
    expect(new Set(values).size).toBe(500);
    // One try beside the others, and one in the lane.
    expect(state.tries).toBe(2 * 500 - 1);
  });

  test('waits for its turn no longer than its limit, and then fails with its last conflict', async () => {
    const lanes = createKeyedQueue();
    let letGo: () => void = () => undefined;
    const blocked = lanes.run('count', () => new Promise<void>((resolve) => (letGo = resolve)));
    let tries = 0;
    const conflict = new Conflict('always');
    const work = () => {
      tries += 1;
      return Promise.reject(conflict);
    };
    const inLane: Lane = (turn) => lanes.run('count', turn);
    await expect(retryConflicts(work, 20, inLane)).rejects.toBe(conflict);
    letGo();
    await blocked;
    expect(await lanes.run('count', () => Promise.resolve('next'))).toBe('next');
    expect(tries).toBe(1);
  });

  test('fails at once with what is no conflict, and the lane goes on', async () => {
    const lanes = createKeyedQueue();
    const failure = new Error('no');
    let tries = 0;
    const failing = retryConflicts(
      () => Promise.reject((tries += 1) < 2 ? new Conflict('met') : failure),
      LIMIT_MS,
      (work) => lanes.run('count', work),
    );
    await expect(failing).rejects.toBe(failure);
    expect(await lanes.run('count', () => Promise.resolve('next'))).toBe('next');
  });

  test('waits for nobody who does something else', async () => {
    const lanes = createKeyedQueue();
    let letGo: () => void = () => undefined;
    const blocked = lanes.run('count', () => new Promise<void>((resolve) => (letGo = resolve)));
    expect(await lanes.run('follow', () => Promise.resolve('through'))).toBe('through');
    letGo();
    await blocked;
  });
});
