import { expect, test } from 'vitest';
import { IdMap } from './id-map.js';
import { RecentMap } from './recent-map.js';

test('the values that were used last stay, up to the total weight', () => {
  const map = new RecentMap<bigint, number>(
    100,
    (weight) => weight,
    () => new IdMap(),
  );
  for (let id = 1n; id <= 50n; id += 1n) {
    map.set(id, 10);
    map.get(1n);
  }
  const kept = Array.from({ length: 50 }, (_, index) => BigInt(index + 1)).filter((id) => map.get(id));
  expect(kept[0]).toBe(1n);
  expect(kept.length).toBeLessThanOrEqual(11);
  expect(kept.slice(1)).toEqual(
    Array.from({ length: kept.length - 1 }, (_, at) => BigInt(52 - kept.length + at)),
  );
});

test('a value weighs once, however often it is set, and nothing after it is deleted', () => {
  const map = new RecentMap<string, number>(100, (weight) => weight);
  map.set('kept', 20);
  for (let count = 0; count < 100; count += 1) {
    map.set('changed', 10 + (count % 10));
    map.set('deleted', 20);
    map.delete('deleted');
  }
  expect(map.get('kept')).toBe(20);
});

test('a value heavier than the whole map evicts the others at the next one', () => {
  const map = new RecentMap<string, number>(100, (weight) => weight);
  map.set('small', 1);
  map.set('huge', 1_000);
  expect(map.get('huge')).toBe(1_000);
  map.set('next', 60);
  map.set('last', 1);
  expect(['small', 'huge', 'next', 'last'].map((key) => map.get(key))).toEqual([undefined, undefined, 60, 1]);
});
