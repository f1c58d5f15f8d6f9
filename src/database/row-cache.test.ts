import { describe, expect, test, vi } from 'vitest';
import { RowCache } from './row-cache.js';

describe('a cache of rows', () => {
  const createCache = (max: number) => {
    const state = { version: 1 };
    const cache = new RowCache<number, string>({ changesIn: () => () => state.version }, ['t'], max);
    return { state, cache };
  };

  test('loads several keys at once, and only those not cached', async () => {
    const { cache } = createCache(10);
    const load = vi.fn(async (keys: readonly number[]) => new Map(keys.map((key) => [key, `v${key}`])));
    await cache.readAll([1, 2], load);
    const found = await cache.readAll([1, 2, 3], load);
    expect([...found]).toEqual([
      [1, 'v1'],
      [2, 'v2'],
      [3, 'v3'],
    ]);
    expect(load.mock.calls).toEqual([[[1, 2]], [[3]]]);
  });

  test('is invalidated when the underlying rows change', async () => {
    const { cache, state } = createCache(10);
    await cache.read(1, async () => 'old');
    state.version += 1;
    expect(cache.find(1)).toBeUndefined();
    expect(await cache.read(1, async () => 'new')).toBe('new');
  });

  test('does not cache absent rows', async () => {
    const { cache } = createCache(10);
    await cache.read(1, async () => undefined);
    expect(await cache.read(1, async () => 'added')).toBe('added');
  });

  test('evicts the oldest values at its limit', async () => {
    const { cache } = createCache(2);
    for (const key of [1, 2, 3]) await cache.read(key, async () => `v${key}`);
    expect([1, 2, 3].map((key) => cache.find(key))).toEqual([undefined, 'v2', 'v3']);
  });
});
