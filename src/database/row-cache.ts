import { RecentMap } from '../core/recent-map.js';
import type { Engine } from './engine.js';

/**
 * Caches the results of reads. Any change or deletion in the underlying tables, by this process or another,
 * invalidates the whole cache. Absent results are not cached, since rows may be inserted.
 */
export class RowCache<K, V> {
  private readonly kept: RecentMap<K, V>;
  private readonly version: () => number;
  private validAt: number;

  /** Creates a cache of at most `max` values, each read from some of `tables`. */
  constructor(engine: Pick<Engine, 'changesIn'>, tables: readonly string[], max: number) {
    this.kept = new RecentMap(max);
    this.version = engine.changesIn(tables);
    this.validAt = this.version();
  }

  /** Returns the cached value if it is still valid. */
  find(key: K): V | undefined {
    this.refresh();
    return this.kept.get(key);
  }

  /** Returns the cached value, or reads it with `load` and caches it. */
  async read(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.find(key);
    if (known !== undefined) return known;
    const before = this.validAt;
    const loaded = await load();
    if (loaded !== undefined && this.refresh() === before) this.kept.set(key, loaded);
    return loaded;
  }

  /** Returns the existing values by key. One `load` reads those that are not cached. */
  async readAll(
    keys: readonly K[],
    load: (missing: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  ): Promise<Map<K, V>> {
    const before = this.refresh();
    const found = new Map<K, V>();
    const missing: K[] = [];
    for (const key of keys) {
      const value = this.kept.get(key);
      if (value === undefined) missing.push(key);
      else found.set(key, value);
    }
    if (missing.length === 0) return found;
    const loaded = await load(missing);
    const isStillTrue = this.refresh() === before;
    for (const [key, value] of loaded) {
      found.set(key, value);
      if (isStillTrue) this.kept.set(key, value);
    }
    return found;
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
