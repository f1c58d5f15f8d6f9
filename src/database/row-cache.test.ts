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

  test('calls of one turn share a read', async () => {
    const { cache } = createCache(10);
    const load = vi.fn(async (keys: readonly bigint[]) => new Map(keys.map((key) => [key, `v${key}`])));
    const found = await Promise.all([cache.readAll([1n, 2n], load), cache.readAll([2n, 3n], load)]);
    expect(found.map((values) => [...values.keys()])).toEqual([
      [1n, 2n],
      [2n, 3n],
    ]);
    expect(load.mock.calls).toEqual([[[1n, 2n, 3n]]]);
  });

  /** Reads that wait until they are let go. */
  const createSlowLoad = () => {
    const reads: { readonly keys: readonly bigint[]; answer(values: Record<string, string>): void }[] = [];
    const load = (keys: readonly bigint[]) =>
      new Promise<ReadonlyMap<bigint, string>>((resolve) => {
        const answer = (values: Record<string, string>): void =>
          resolve(new Map(Object.entries(values).map(([key, value]) => [BigInt(key), value])));
        reads.push({ keys, answer });
      });
    return { reads, load };
  };

  test('a key that is being read is not read again', async () => {
    const { cache } = createCache(10);
    const { reads, load } = createSlowLoad();
    const first = cache.readAll([1n, 2n], load);
    await vi.waitFor(() => expect(reads).toHaveLength(1));
    const second = cache.readAll([2n, 3n], load);
    await vi.waitFor(() => expect(reads).toHaveLength(2));
    expect(reads.map(({ keys }) => keys)).toEqual([[1n, 2n], [3n]]);
    reads[1]?.answer({ 3: 'c' });
    reads[0]?.answer({ 1: 'a', 2: 'b' });
    expect([...(await first).values()]).toEqual(['a', 'b']);
    expect([...(await second).values()]).toEqual(['b', 'c']);
  });

  test('a key that changed while it was being read is read again, and the first answer is not used', async () => {
    const { cache, change } = createCache(10);
    const { reads, load } = createSlowLoad();
    const first = cache.readAll([1n, 2n], load);
    await vi.waitFor(() => expect(reads).toHaveLength(1));
    change(1n);
    const second = cache.readAll([1n, 2n], load);
    await vi.waitFor(() => expect(reads).toHaveLength(2));
    expect(reads[1]?.keys).toEqual([1n]);
    reads[1]?.answer({ 1: 'new' });
    reads[0]?.answer({ 1: 'old', 2: 'b' });
    await first;
    expect([...(await second)].sort()).toEqual([
      [1n, 'new'],
      [2n, 'b'],
    ]);
  });

  test('a row that a running read did not find is looked for again', async () => {
    const { cache } = createCache(10);
    const { reads, load } = createSlowLoad();
    const first = cache.readAll([1n], load);
    await vi.waitFor(() => expect(reads).toHaveLength(1));
    const second = cache.readAll([1n], load);
    reads[0]?.answer({});
    expect((await first).size).toBe(0);
    await vi.waitFor(() => expect(reads).toHaveLength(2));
    reads[1]?.answer({ 1: 'inserted' });
    expect((await second).get(1n)).toBe('inserted');
  });

  test('a failed read fails all calls that wait for it, and is repeated by the next', async () => {
    const { cache } = createCache(10);
    const load = vi.fn<() => Promise<ReadonlyMap<bigint, string>>>();
    load.mockRejectedValueOnce(new Error('lost')).mockResolvedValueOnce(new Map([[1n, 'v']]));
    const calls = await Promise.allSettled([cache.readAll([1n], load), cache.readAll([1n], load)]);
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await cache.readAll([1n], load)).get(1n)).toBe('v');
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
