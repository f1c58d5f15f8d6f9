import { expect, test } from 'vitest';
import type { UserId } from '../../core/ids.js';
import { rankTrends } from './rank-trends.js';

const use = (tag: string, author: number, atMs = 0) => ({
  tag,
  authorId: BigInt(author) as UserId,
  atMs,
  isPublic: true,
});

test('more authors count more than more posts of one', () => {
  const uses = [use('loud', 1), use('loud', 1), use('loud', 1), use('pond', 1), use('pond', 2)];
  expect(rankTrends(uses, 5).map(({ name, posts }) => [name, posts])).toEqual([
    ['#pond', 2],
    ['#loud', 3],
  ]);
});

test('spellings count together under the commonest one, since the first post', () => {
  const uses = [use('pond', 1, 30), use('Pond', 2, 20), use('Pond', 3, 25)];
  expect(rankTrends(uses, 5)).toEqual([{ name: '#Pond', posts: 3, sinceMs: 20 }]);
});

test('equal hashtags are in alphabetical order, up to the limit', () => {
  const uses = [use('b', 1), use('c', 1), use('a', 1)];
  expect(rankTrends(uses, 2).map(({ name }) => name)).toEqual(['#a', '#b']);
});
