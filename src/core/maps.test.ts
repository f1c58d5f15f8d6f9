import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdMap, IdSet, RecentMap } from './maps.js';

/** Few ids, so that operations meet; neighbours and multiples of powers of two, so that slots collide. */
const id = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }),
  fc.bigInt({ min: 0n, max: 20n }).map((number) => number << 32n),
  fc.constantFrom((1n << 64n) - 1n, 1n << 63n, (1n << 63n) - 1n),
);
const operation = fc.tuple(fc.constantFrom('set', 'set', 'delete'), id, fc.nat());

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
        } else {
          expect(map.delete(key)).toBe(model.delete(key));
        }
        expect(map.size).toBe(model.size);
      }
      for (const key of met) {
        expect(map.get(key)).toBe(model.get(key));
        expect(map.has(key)).toBe(model.has(key));
      }
      const listed = new Map<bigint, number>();
      map.forEach((value, key) => listed.set(key, value));
      expect(listed).toEqual(model);
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

test('the values that were used last stay', () => {
  const map = new RecentMap<number, string>(10);
  for (let id = 1; id <= 50; id += 1) {
    map.set(id, `v${id}`);
    map.get(1);
  }
  const kept = Array.from({ length: 50 }, (_, index) => index + 1).filter((id) => map.get(id));
  expect(kept[0]).toBe(1);
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(kept.slice(1)).toEqual(Array.from({ length: kept.length - 1 }, (_, at) => 52 - kept.length + at));
});
