import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdMap, IdSet, RecentMap } from './maps.js';

/** Few ids, so that operations meet; neighbours and multiples of powers of two, so that slots collide. */
const id = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }),
  fc.bigInt({ min: 0n, max: 20n }).map((number) => number << 32n),
  fc.constantFrom((1n << 64n) - 1n, 1n << 63n, (1n << 63n) - 1n),
);
const operation = fc.tuple(fc.constantFrom('set', 'set', 'delete', 'clear'), id, fc.nat());

test('behaves like Map', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const map = new IdMap<bigint, number>();
      const model = new Map<bigint, number>();
      const met = new Set<bigint>();
      for (const [kind, key, value] of operations) {
        met.add(key);
        if (kind === 'set') {
          map.set(key, value);
          model.set(key, value);
        } else if (kind === 'delete') {
          expect(map.delete(key)).toBe(model.delete(key));
        } else if (value % 10 === 0) {
          map.clear();
          model.clear();
        }
        expect(map.size).toBe(model.size);
      }
      for (const key of met) {
        expect(map.get(key)).toBe(model.get(key));
        expect(map.has(key)).toBe(model.has(key));
      }
    }),
  );
});

test('holds many ids', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => BigInt(index) << 22n);
  const set = new IdSet(ids);
  expect(set.size).toBe(ids.length);
  expect(ids.every((each) => set.has(each))).toBe(true);
  expect(ids.some((each) => set.has(each + 1n))).toBe(false);
});

test('numbers outside 64 bits are neither found nor stored', () => {
  const map = new IdMap<bigint, string>();
  map.set(1n, 'one').set((1n << 64n) - 1n, 'last');
  for (const number of [(1n << 64n) + 1n, -1n, 1n - (1n << 64n)]) {
    expect(map.get(number)).toBeUndefined();
    expect(map.delete(number)).toBe(false);
    expect(() => map.set(number, 'other')).toThrow(RangeError);
  }
  expect(map.size).toBe(2);
});

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
