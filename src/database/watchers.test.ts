import { expect, it } from 'vitest';
import { createWatchers, decodeChanges, encodeChanges } from './watchers.js';

it('keeps tables, kinds, keys and the ids of rows', () => {
  const changes = [
    { table: 'posts', kind: 'delete', keys: [9_007_199_254_740_993n, 2n], row: {} },
    { table: 'follows', kind: 'update', keys: undefined, row: undefined },
    { table: 'user_posts', kind: 'insert', keys: [1n], row: { post_id: 5n } },
  ] as const;
  expect(decodeChanges(encodeChanges(changes) ?? '')).toEqual(changes);
});

it('leaves out values that are no ids, and tables that no process caches', () => {
  const row = { post_id: 5n, created_at: 7, text: 'x' };
  const change = { table: 'user_posts', kind: 'insert', keys: [1n], row } as const;
  const text = encodeChanges([{ table: 'jobs', kind: 'insert' }, change]) ?? '';
  expect(decodeChanges(text)).toEqual([{ ...change, row: { post_id: 5n } }]);
  expect(encodeChanges([{ table: 'jobs', kind: 'delete', keys: [1n] }])).toBeUndefined();
});

const increment = { column: 'posts', by: 2 };
const stored = { id: 1n, text: 'x', score: 0.5, poll_id: null };
const created = { table: 'posts', kind: 'insert', keys: [1n], row: {}, stored } as const;
const counted = { table: 'user_counts', kind: 'update', keys: [2n], row: {} } as const;

it('leaves out new rows and increments if no other process is there', () => {
  expect(encodeChanges([created])).toBeUndefined();
  expect(decodeChanges(encodeChanges([created, { ...counted, increment }]) ?? '')).toEqual([counted]);
});

it('keeps new rows and increments for other processes', () => {
  const changes = [created, { ...counted, increment }];
  expect(decodeChanges(encodeChanges(changes, { forOthers: true }) ?? '')).toEqual(changes);
});

it.each([
  ['long text', 'x'.repeat(2_001)],
  ['bytes', new Uint8Array(3)],
])('leaves out a new row with %s', (_what, text) => {
  expect(encodeChanges([{ ...created, stored: { id: 1n, text } }], { forOthers: true })).toBeUndefined();
});

it('gives new rows to caches, and invalidates nothing for other watchers', () => {
  const { add, watch } = createWatchers();
  const taken: unknown[] = [];
  const watchers = [watch(['posts']), watch(['posts'], (change) => taken.push(change.stored) > 0)];
  add(created);
  expect([taken, watchers.map((version) => version())]).toEqual([[stored], [0, 0]]);
});

it('encodes unknown changes of any table', () => {
  const text = encodeChanges([{ table: 'posts', kind: 'delete' }, 'unknown']);
  expect(decodeChanges(text ?? '')).toEqual(['unknown']);
});
