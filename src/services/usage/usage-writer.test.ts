import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { createUsageWriter } from './usage-writer.js';

const APP = 1n as AppId;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/**
 * Creates a writer on an engine that can be made to fail. The statements are tested over HTTP
 * (test/api/usage.test.ts).
 */
function createWriter() {
  const state = { isBroken: false, transactions: 0 };
  const engine = {
    tx: () => {
      state.transactions += 1;
      return state.isBroken ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
    },
  } as unknown as Engine;
  const logged: string[] = [];
  const written: AppId[] = [];
  const writer = createUsageWriter({
    engine,
    clock: () => 0,
    log: { error: (_fields, message) => logged.push(message) },
    onWritten: (appId) => written.push(appId),
  });
  return { state, logged, written, writer };
}

it('writes once, a second after the first post', async () => {
  const { state, written, writer } = createWriter();
  for (let n = 0; n < 100; n += 1) writer.add(APP, [String(n), String(n + 1)]);
  expect([writer.size(APP), state.transactions]).toEqual([101, 0]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([writer.size(APP), state.transactions, written]).toEqual([0, 1, [APP]]);
  writer.add(APP, ['1', '2']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.transactions).toBe(1);
});

it('writes requests in the same transaction', async () => {
  const { state, writer } = createWriter();
  for (let n = 0; n < 100; n += 1) writer.addRequest(APP);
  writer.add(APP, ['1']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.transactions).toBe(1);
  writer.addRequest(APP);
  await writer.close();
  expect([state.transactions, vi.getTimerCount()]).toEqual([2, 0]);
});

it('keeps usage that cannot be written, logs the error and retries', async () => {
  const { state, logged, writer } = createWriter();
  state.isBroken = true;
  writer.add(APP, ['1', '2']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([writer.size(APP), logged]).toEqual([2, ['usage could not be written; it will be retried']]);
  writer.add(APP, ['3']);
  state.isBroken = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([writer.size(APP), logged.length]).toEqual([0, 1]);
});

it('writes the rest when it is closed, and leaves no timer', async () => {
  const { state, writer } = createWriter();
  writer.add(APP, ['1']);
  await writer.close();
  expect([writer.size(APP), state.transactions, vi.getTimerCount()]).toEqual([0, 1, 0]);
});
