import { expect, test } from 'vitest';
import { seededRandom } from '../../src/core/seeded-random.js';
import { arrivingEntries, backlogOf, thresholdCosts } from '../../bench/simulate-fan-out.js';
import { createNetwork } from '../../bench/simulate-network.js';
import { shardLoad } from '../../bench/simulate-shards.js';

const random = seededRandom(7);
const SHAPE = { users: 20_000, follows: 40, exponent: 2.276, postsPerUser: 1, activity: 0.3 };
const network = createNetwork(SHAPE, random);

test('a network has the shape that it is given', () => {
  const { followers, posts } = network;
  const sorted = Array.from(followers).toSorted((a, b) => b - a);
  expect(sorted.reduce((sum, count) => sum + count, 0) / SHAPE.users).toBeCloseTo(SHAPE.follows, -1.3);
  expect(posts.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(SHAPE.users, -1);
  // With this exponent, ten times fewer users have 10 ** (1 / 1.276) = 6.1 times as many followers.
  expect((sorted[200] ?? 0) / (sorted[2_000] ?? 1)).toBeCloseTo(6.1, 0);
});

test('a higher threshold fans out more and merges less', () => {
  const costs = thresholdCosts(network, [100, 1_000, Number.POSITIVE_INFINITY]);
  const [entries, lists] = [
    costs.map(({ entriesPerPost }) => entriesPerPost),
    costs.map(({ mergedLists }) => mergedLists.mean),
  ];
  expect(entries.toSorted((a, b) => a - b)).toEqual(entries);
  expect(lists.toSorted((a, b) => b - a)).toEqual(lists);
  expect(costs.at(-1)).toMatchObject({ largeAuthors: 0, mergedPosts: 0, mergedLists: { mean: 0, p99: 0 } });
});

test('entries wait only when more arrive than the fan-out writes', () => {
  expect(backlogOf(Float64Array.of(5, 0, 25, 0, 0, 0), 10)).toMatchObject({ waitP50: 0, waitMost: 1.5 });
  const arrivals = { postsPerSecond: 50, seconds: 60, threshold: 1_000, random };
  const entries = arrivingEntries(network, arrivals);
  const mean = entries.reduce((sum, count) => sum + count, 0) / entries.length;
  const [fanOut] = thresholdCosts(network, [1_000]);
  expect(mean / 50 / (fanOut?.entriesPerPost ?? 0)).toBeCloseTo(1, 0);
  expect(backlogOf(entries, 100 * mean)).toMatchObject({ load: 0.01, waitMost: 0 });
});

test('entries fall evenly on shards, lists of authors with many followers do not', () => {
  const run = { shards: 16, seconds: 5, postsPerSecond: 100, homesPerSecond: 20, threshold: 500, random };
  const { entries, merges } = shardLoad(network, run);
  expect(entries.busiest).toBeLessThan(1.1);
  expect(merges.busiest).toBeGreaterThan(1.2);
});
