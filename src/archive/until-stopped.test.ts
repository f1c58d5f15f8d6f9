import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { untilStopped } from './until-stopped.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('keeps no value after the next one', async () => {
  const yielded: WeakRef<object>[] = [];
  const values = async function* () {
    for (let count = 0; count < 100; count += 1) {
      const value = { count };
      yielded.push(new WeakRef(value));
      yield value;
    }
  };
  for await (const { count } of untilStopped(values(), new Promise(() => undefined))) {
    if (count < 99) continue;
    // The target of a new WeakRef lives until the turn ends.
    await setImmediate();
    collectGarbage();
    expect(yielded.filter((each) => each.deref() !== undefined).length).toBeLessThan(10);
  }
  expect.assertions(1);
});

test('ends when it is told to stop while a value is pending, and ends the values', async () => {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const seen: number[] = [];
  const values = async function* () {
    yield 1;
    stop();
    yield await new Promise<number>(() => undefined);
  };
  for await (const value of untilStopped(values(), stopped)) seen.push(value);
  expect(seen).toEqual([1]);
});

test('passes on the error of the values', async () => {
  const values = async function* () {
    yield await Promise.reject<number>(new Error('unreadable'));
  };
  const read = async () => {
    for await (const value of untilStopped(values(), new Promise(() => undefined))) void value;
  };
  await expect(read()).rejects.toThrow('unreadable');
});
