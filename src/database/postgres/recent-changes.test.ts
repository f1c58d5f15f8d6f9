import { expect, test } from 'vitest';
import { RecentChanges } from './recent-changes.js';

const change = (table: string, ...keys: bigint[]) => ({ table, kind: 'update', keys }) as const;

test('knows the rows that changed after a time', () => {
  const recent = new RecentChanges();
  recent.add(change('posts', 1n));
  const time = recent.now();
  expect(recent.since(time, change('posts', 1n))).toBe(false);
  recent.add(change('posts', 2n, 3n));
  const changed = [change('posts', 1n), change('posts', 1n, 3n), change('users', 3n)];
  expect(changed.map((each) => recent.since(time, each))).toEqual([false, true, false]);
  expect(recent.since(recent.now(), change('posts', 3n))).toBe(false);
});

test.each([
  ['an unknown change', ['unknown'] as const],
  ['a change of a whole table', [{ table: 'users', kind: 'update' } as const]],
  [
    'more changes than are remembered',
    Array.from({ length: 50_001 }, (_, n) => change('posts', BigInt(n) + 9n)),
  ],
])('after %s any row may have changed', (_what, changes) => {
  const recent = new RecentChanges();
  const time = recent.now();
  for (const each of changes) recent.add(each);
  expect(recent.since(time, change('posts', 1n))).toBe(true);
  expect(recent.since(recent.now(), change('posts', 1n))).toBe(false);
});
