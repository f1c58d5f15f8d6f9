import { IdMap, RecentMap } from '../core/maps.js';
import type { Engine } from './engine.js';
import type { KeyedChange } from './watchers.js';

/** Drops the values of the changed keys, for caches with the keys of their tables. */
export function byKey<K, V>({ keys }: KeyedChange, cache: RowCache<K, V>): boolean {
  for (const key of keys) cache.change(key as K);
  return true;
}

/**
 * Caches the results of reads. A change in the underlying tables, by this process or another, invalidates the rows
 * with its keys, or the whole cache if the keys are unknown. Absent results are not cached, since rows may be
 * inserted.
 */
export class RowCache<K, V> {
  private readonly kept: RecentMap<K, V>;
  private readonly version: () => number;
  private validAt: number;
  /** How many values were found, and how many were read. */
  hits = 0;
  misses = 0;
  /** For each running load the keys that changed meanwhile: what it read of them may be old. */
  private readonly loads = new Set<Set<K>>();

  /**
   * Creates a cache of values that are read from some of `tables`, of at most `max` of them, or bytes if `bytesOf`
   * estimates the memory of a value (caches.ts). `take` handles changes with known keys (Engine.changesIn), with
   * `change`; `byKey` suits caches with the keys of their tables (cached-tables.ts). The keys of a cache with `take`
   * are ids.
   */
  constructor(
    engine: Pick<Engine, 'changesIn'>,
    tables: readonly string[],
    max: number,
    take?: (change: KeyedChange, cache: RowCache<K, V>) => boolean,
    bytesOf?: (value: V) => number,
  ) {
    this.kept = new RecentMap(max, bytesOf, take && (() => new IdMap<K & bigint, V>()));
    this.version = engine.changesIn(tables, take && ((change) => take(change, this)));
    this.validAt = this.version();
  }

  /** The number of values, as `RecentMap` counts. */
  get entries(): number {
    return this.kept.size;
  }

  /** Their memory, if `bytesOf` estimates it. */
  get bytes(): number {
    return this.kept.weight;
  }

  /** Replaces a cached value whose rows changed; drops it without `update`, or if that returns undefined. */
  change(key: K, update?: (value: V) => V | undefined): void {
    const value = this.kept.get(key);
    const next = value === undefined ? undefined : update?.(value);
    if (next === undefined) this.kept.delete(key);
    else if (next !== value) this.kept.set(key, next);
    for (const changed of this.loads) changed.add(key);
  }

  /** Returns the cached value if it is still valid. */
  find(key: K): V | undefined {
    this.refresh();
    const value = this.kept.get(key);
    if (value !== undefined) this.hits += 1;
    return value;
  }

  /** Returns the cached value, or reads it with `load` and caches it. */
  async read(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.find(key);
    if (known !== undefined) return known;
    const loaded = await this.load([key], async () => {
      const value = await load();
      return new Map(value === undefined ? [] : [[key, value]]);
    });
    return loaded.get(key);
  }

  /** Returns the existing values by key. One `load` reads those that are not cached. */
  async readAll(
    keys: readonly K[],
    load: (missing: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ): Promise<Map<K, V>> {
    this.refresh();
    const found = new Map<K, V>();
    const missing: K[] = [];
    for (const key of keys) {
      const value = this.kept.get(key);
      if (value === undefined) missing.push(key);
      else found.set(key, value);
    }
    this.hits += found.size;
    if (missing.length > 0) {
      for (const [key, value] of await this.load(missing, load)) found.set(key, value);
    }
    return found;
  }

  private async load(
    keys: readonly K[],
    load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ): Promise<ReadonlyMap<K, V>> {
    this.misses += keys.length;
    const before = this.validAt;
    const changed = new Set<K>();
    this.loads.add(changed);
    try {
      const loaded = await load(keys);
      if (this.refresh() === before) {
        for (const [key, value] of loaded) if (!changed.has(key)) this.kept.set(key, value);
      }
      return loaded;
    } finally {
      this.loads.delete(changed);
    }
  }

  private refresh(): number {
    const version = this.version();
    if (version !== this.validAt) {
      this.kept.clear();
      this.validAt = version;
    }
    return version;
  }
}
