import { describe, expect, test, vi } from 'vitest';
import type { Row } from './queryable.js';
import { byKey, byKeyWithCounts, byKeyWithRows, Derived, RowCache, type Entry } from './row-cache.js';
import { createWatchers, type KeyedChange } from './watchers.js';

describe('a cache of rows', () => {
  const createCache = (max: number) => {
    const watchers = createWatchers();
    const cache = new RowCache<bigint, string>({ changesIn: watchers.watch }, ['t'], max, byKey);
    const change = (...keys: bigint[]) => watchers.add({ table: 't', kind: 'update', keys });
    const changeAll = () => watchers.add({ table: 't', kind: 'update' });
    return { cache, watchers, change, changeAll };
  };

  test('loads several keys at once, and only those not cached', async () => {
    const { cache } = createCache(10);
    const load = vi.fn(async (keys: readonly bigint[]) => new Map(keys.map((key) => [key, `v${key}`])));
    await cache.readAll([1n, 2n], load);
    const found = await cache.readAll([1n, 2n, 3n], load);
    expect([...found]).toEqual([
      [1n, 'v1'],
      [2n, 'v2'],
      [3n, 'v3'],
    ]);
    expect(load.mock.calls).toEqual([[[1n, 2n]], [[3n]]]);
  });

  test('loses what changed, by key or as a whole', async () => {
    const { cache, change, changeAll } = createCache(10);
    for (const key of [1n, 2n]) await cache.read(key, async () => 'old');
    change(1n);
    expect([cache.find(1n), cache.find(2n)]).toEqual([undefined, 'old']);
    changeAll();
    expect(cache.find(2n)).toBeUndefined();
    expect(await cache.read(1n, async () => 'new')).toBe('new');
  });

  test('keeps new rows and new values of changed ones, and reads neither', async () => {
    const watchers = createWatchers();
    const cache = new RowCache<bigint, Readonly<Record<string, number>>>(
      { changesIn: watchers.watch },
      ['t'],
      10,
      byKeyWithCounts,
    );
    watchers.add({ table: 't', kind: 'insert', keys: [1n], stored: { posts: 1, likes: 0 } });
    const increment = { column: 'posts', by: 2 };
    for (const key of [1n, 2n]) watchers.add({ table: 't', kind: 'update', keys: [key], increment });
    expect([cache.find(1n), cache.find(2n)]).toEqual([{ posts: 3, likes: 0 }, undefined]);
    await cache.read(3n, async () => {
      watchers.add({ table: 't', kind: 'insert', keys: [3n], stored: { posts: 7 } });
      return { posts: 0 };
    });
    expect(cache.find(3n)).toEqual({ posts: 7 });
  });

  test('keeps decoded rows, and drops the value if a row cannot be decoded', async () => {
    const watchers = createWatchers();
    const decode = ({ text }: Row) => (typeof text === 'string' ? text : undefined);
    const take = byKeyWithRows(decode);
    const cache = new RowCache<bigint, string>({ changesIn: watchers.watch }, ['t'], 10, take);
    watchers.add({ table: 't', kind: 'insert', keys: [1n], stored: { text: 'new' } });
    expect(cache.find(1n)).toBe('new');
    watchers.add({ table: 't', kind: 'insert', keys: [1n], stored: {} });
    expect(cache.find(1n)).toBeUndefined();
  });

  test('with other keys than its tables, drops the values of changed rows, also those that are being read', async () => {
    const watchers = createWatchers();
    const take = ({ keys }: KeyedChange, cache: RowCache<string, { readonly owner: bigint }>): boolean => {
      cache.dropWhere(({ owner }) => keys.includes(owner));
      return true;
    };
    const cache = new RowCache({ changesIn: watchers.watch }, ['t'], 10, take, undefined, true);
    const change = (...keys: bigint[]) => watchers.add({ table: 't', kind: 'update', keys });
    for (const key of ['a1', 'a2']) await cache.read(key, async () => ({ owner: 1n }));
    await cache.read('b', async () => ({ owner: 2n }));
    change(1n, 3n);
    expect(['a1', 'a2', 'b'].map((key) => cache.find(key)?.owner)).toEqual([undefined, undefined, 2n]);
    const read = await cache.read('a1', async () => {
      change(1n);
      return { owner: 1n };
    });
    expect([read?.owner, cache.find('a1')]).toEqual([1n, undefined]);
    watchers.add({ table: 't', kind: 'update' });
    expect(cache.find('b')).toBeUndefined();
  });

  test('does not keep what was read during its change', async () => {
    const { cache, change, changeAll } = createCache(10);
    await cache.readAll([1n, 2n], async () => {
      change(1n);
      return new Map([
        [1n, 'old'],
        [2n, 'true'],
      ]);
    });
    expect([cache.find(1n), cache.find(2n)]).toEqual([undefined, 'true']);
    await cache.read(3n, async () => {
      changeAll();
      return 'old';
    });
    expect(cache.find(3n)).toBeUndefined();
  });

  test('does not cache absent rows', async () => {
    const { cache } = createCache(10);
    await cache.read(1n, async () => undefined);
    expect(await cache.read(1n, async () => 'added')).toBe('added');
  });

  test('keeps at its limit what was used since it was last full', async () => {
    const { cache } = createCache(10);
    for (let key = 1n; key <= 100n; key += 1n) {
      await cache.read(key, async () => `v${key}`);
      expect(cache.entries).toBeLessThanOrEqual(10);
      expect(cache.find(1n)).toBe('v1');
    }
  });

  test('keeps what is used again and again, while values that are used once pass through', async () => {
    const { cache } = createCache(80);
    const read = (key: bigint) => cache.read(key, async () => `v${key}`);
    for (let round = 0n; round < 100n; round += 1n) {
      for (let key = 0n; key < 60n; key += 1n) await read(key);
      for (let key = 0n; key < 10n; key += 1n) await read(1_000n + 10n * round + key);
    }
    expect(cache.misses).toBe(60 + 100 * 10);
  });

  test('evicts first what was not used for the longest time', async () => {
    const { cache } = createCache(80);
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, key) => BigInt(from + key));
    const read = (keys: bigint[]) =>
      cache.readAll(keys, async (all) => new Map(all.map((key) => [key, 'v'])));
    await read(range(0, 80));
    await read(range(0, 40));
    // The cache makes room for each of these.
    for (const from of [80, 90, 100, 110]) {
      await read(range(0, 20));
      await read(range(from, from + 10));
    }
    const isCached = (key: bigint) => cache.peek(key) !== undefined;
    expect([range(0, 40).every(isCached), range(40, 80).some(isCached)]).toEqual([true, false]);
  });

  describe('what is derived from its values', () => {
    const createDerived = async (cache: RowCache<bigint, string>, ...keys: bigint[]) => {
      const entries = [];
      for (const key of keys) {
        await cache.read(key, async () => `v${key}`);
        entries.push(cache.entry(key) as Entry<string>);
      }
      return new Derived(entries.map(({ value }) => value).join(), entries);
    };

    test('counts until one of them is changed, dropped or evicted', async () => {
      const { cache, change, changeAll } = createCache(10);
      const dropped = await createDerived(cache, 1n, 2n);
      const replaced = await createDerived(cache, 2n, 3n);
      const other = await createDerived(cache, 4n);
      expect(dropped.value).toBe('v1,v2');
      change(1n);
      cache.change(3n, () => 'other');
      expect([dropped.value, replaced.value, other.value]).toEqual([undefined, undefined, 'v4']);
      changeAll();
      cache.refresh();
      expect(other.value).toBeUndefined();
      const all = [];
      for (let key = 5n; key < 30n; key += 1n) all.push(await createDerived(cache, key));
      expect(all.filter(({ value }) => value !== undefined).length).toBe(cache.entries);
    });

    test('does not count if one of them was changed before', async () => {
      const { cache, change } = createCache(10);
      await cache.read(1n, async () => 'old');
      const entry = cache.entry(1n) as Entry<string>;
      change(1n);
      expect(new Derived('old', [entry]).value).toBeUndefined();
    });

    test('keeps them in the cache while it is used', async () => {
      const { cache } = createCache(10);
      const derived = await createDerived(cache, 1n, 2n);
      for (let key = 3n; key < 100n; key += 1n) {
        derived.isUsed = true;
        await cache.read(key, async () => `v${key}`);
      }
      expect(derived.value).toBe('v1,v2');
      for (let key = 100n; key < 200n; key += 1n) await cache.read(key, async () => `v${key}`);
      expect(derived.value).toBeUndefined();
    });

    test('an entry forgets what no longer counts', async () => {
      const { cache, change } = createCache(10);
      const lasting = await createDerived(cache, 1n);
      for (let count = 0; count < 1_000; count += 1) {
        await createDerived(cache, 1n, 2n);
        change(2n);
      }
      expect(JSON.stringify(cache.entry(1n)).length).toBeLessThan(2_000);
      expect(lasting.value).toBe('v1');
    });
  });

  test('a value that was changed often weighs once', async () => {
    const { cache } = createCache(10);
    for (const key of [1n, 2n, 3n]) await cache.read(key, async () => 'v');
    for (let count = 0; count < 100; count += 1) cache.change(1n, () => `v${count}`);
    expect([1n, 2n, 3n].map((key) => cache.find(key))).toEqual(['v99', 'v', 'v']);
    expect(cache.bytes).toBe(3);
  });
});
