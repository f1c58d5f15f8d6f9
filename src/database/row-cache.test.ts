import { describe, expect, test, vi } from 'vitest';
import { byKey, RowCache } from './row-cache.js';
import { createWatchers } from './watchers.js';

describe('a cache of rows', () => {
  const createCache = (max: number) => {
    const watchers = createWatchers();
    const cache = new RowCache<bigint, string>({ changesIn: watchers.watch }, ['t'], max, byKey);
    const change = (...keys: bigint[]) => watchers.add({ table: 't', kind: 'update', keys });
    const changeAll = () => watchers.add({ table: 't', kind: 'update' });
    return { cache, change, changeAll };
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

  test('evicts the oldest values at its limit', async () => {
    const { cache } = createCache(2);
    for (const key of [1n, 2n, 3n]) await cache.read(key, async () => `v${key}`);
    expect([1n, 2n, 3n].map((key) => cache.find(key))).toEqual([undefined, 'v2', 'v3']);
  });
});
