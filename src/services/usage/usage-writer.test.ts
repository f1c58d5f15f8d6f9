import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { createUsageBuffer, createUsageWriter, postIdsOf, type UsageBatch } from './usage-writer.js';

const APP = 1n as AppId;
const [ONE, TWO] = [1n as AppId, 2n as AppId];

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

it('adds each post once a day, and reports whether any was new', () => {
  const buffer = createUsageBuffer();
  expect(buffer.add(ONE, 7, ['1', '2', '1'])).toBe(true);
  expect(buffer.add(ONE, 7, ['2', '1'])).toBe(false);
  expect(buffer.add(ONE, 7, ['2', '3'])).toBe(true);
  expect(buffer.add(TWO, 7, ['1'])).toBe(true);
  expect([buffer.size(ONE), buffer.size(TWO)]).toEqual([3, 1]);
  expect(buffer.take().map((batch) => [batch.appId, batch.day, postIdsOf(batch)])).toEqual([
    [ONE, 7, [1n, 2n, 3n]],
    [TWO, 7, [1n]],
  ]);
  expect(buffer.take()).toEqual([]);
});

it('counts requests by app and day, with and without posts', () => {
  const buffer = createUsageBuffer();
  buffer.addRequest(ONE, 7);
  buffer.addRequest(ONE, 7);
  buffer.addRequest(ONE, 8);
  buffer.add(TWO, 7, ['1']);
  buffer.addRequest(TWO, 7);
  const counted = ({ appId, day, postIds, requests }: UsageBatch) => [appId, day, postIds.size, requests];
  const batches = buffer.take();
  expect(batches.map(counted)).toEqual([
    [ONE, 7, 0, 2],
    [ONE, 8, 0, 1],
    [TWO, 7, 1, 1],
  ]);
  expect(buffer.size(ONE)).toBe(0);
  buffer.addRequest(ONE, 7);
  for (const batch of batches) buffer.putBack(batch);
  expect(buffer.take().map(counted)).toEqual([
    [ONE, 7, 0, 3],
    [ONE, 8, 0, 1],
    [TWO, 7, 1, 1],
  ]);
});

it('counts a post again on another day, and separates days', () => {
  const buffer = createUsageBuffer();
  buffer.add(ONE, 7, ['1']);
  expect(buffer.add(ONE, 8, ['1'])).toBe(true);
  expect(buffer.take().map(({ day }) => day)).toEqual([7, 8]);
});

it('includes batches in the size until they are written, and accepts failed ones back', () => {
  const buffer = createUsageBuffer();
  buffer.add(ONE, 7, ['1', '2']);
  const [batch] = buffer.take();
  if (!batch) throw new Error('nothing taken');
  expect(buffer.size(ONE)).toBe(2);
  buffer.add(ONE, 7, ['3']);
  buffer.putBack(batch);
  expect(buffer.size(ONE)).toBe(3);
  const [again] = buffer.take();
  if (!again) throw new Error('nothing taken');
  expect([...again.postIds].sort()).toEqual(['1', '2', '3']);
  buffer.written(again);
  expect(buffer.size(ONE)).toBe(0);
});
