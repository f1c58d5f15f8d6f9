import { expect, it } from 'vitest';
import type { AppId } from '../../core/ids.js';
import { createUsageBuffer, postIdsOf, type UsageBatch } from './usage-buffer.js';

const [ONE, TWO] = [1n as AppId, 2n as AppId];

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
