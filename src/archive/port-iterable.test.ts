import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { iterableOf, PortClosed, serveIterable } from './port-iterable.js';

/** Counts up to `failsAt` or forever, and records its progress. */
function numbers(failsAt = Infinity) {
  const state = { made: 0, isEnded: false };
  const values = async function* () {
    try {
      for (let n = 1; n < failsAt; n += 1) {
        state.made = n;
        yield n;
      }
      throw new TypeError('no more of them');
    } finally {
      state.isEnded = true;
    }
  };
  return { state, values: values() };
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await turn();
}

test('values arrive in order, followed by the end', async () => {
  const { port1, port2 } = new MessageChannel();
  serveIterable(
    port1,
    (async function* () {
      yield* ['a', 'b', 'c'];
    })(),
  );
  const read: string[] = [];
  for await (const value of iterableOf<string>(port2, 2)) read.push(value);
  expect(read).toEqual(['a', 'b', 'c']);
});

test('no more values are produced than requested ahead', async () => {
  const { port1, port2 } = new MessageChannel();
  const { state, values } = numbers();
  serveIterable(port1, values);
  const reading = iterableOf<number>(port2, 2);
  expect(await reading.next()).toEqual({ value: 1, done: false });
  await turns(50);
  expect(state.made).toBe(3);
  await reading.return();
});

test('stopping the reader ends the producer', async () => {
  const { port1, port2 } = new MessageChannel();
  const { state, values } = numbers();
  serveIterable(port1, values);
  for await (const value of iterableOf<number>(port2, 1)) if (value === 2) break;
  await once(port1, 'close');
  await turns(1);
  expect(state.isEnded).toBe(true);
});

test('an error of the producer arrives after the values before it', async () => {
  const { port1, port2 } = new MessageChannel();
  serveIterable(port1, numbers(3).values);
  const reading = iterableOf<number>(port2, 5);
  expect([(await reading.next()).value, (await reading.next()).value]).toEqual([1, 2]);
  await expect(reading.next()).rejects.toThrow('no more of them');
});

test('the reader fails when the other side closes the port', async () => {
  const { port1, port2 } = new MessageChannel();
  const reading = iterableOf<number>(port2, 1).next();
  port1.close();
  await expect(reading).rejects.toThrow(PortClosed);
});

test('parts are transferred instead of copied on request', async () => {
  const { port1, port2 } = new MessageChannel();
  const bytes = new Uint8Array([1, 2, 3]);
  const values = async function* () {
    yield bytes;
  };
  serveIterable(port1, values(), ({ buffer }) => [buffer]);
  for await (const value of iterableOf<Uint8Array>(port2, 1)) expect([...value]).toEqual([1, 2, 3]);
  expect(bytes).toHaveLength(0);
});
