import { RecentMap } from '../core/recent-map.js';
import type { Engine } from './engine.js';

/**
 * Keeps what reads found for as long as it is true: everything is forgotten when rows of the tables behind it were
 * changed or removed, by this process or another. What was not found is not kept, as rows may be added.
 */
export class RowCache<K, V> {
  private readonly kept: RecentMap<K, V>;
  private readonly version: () => number;
  private validAt: number;

  /** `tables` are all tables that a value is read from; at most `max` values are kept. */
  constructor(engine: Pick<Engine, 'changesIn'>, tables: readonly string[], max: number) {
    this.kept = new RecentMap(max);
    this.version = engine.changesIn(tables);
    this.validAt = this.version();
  }

  /** The value, if it is here and still true. */
  find(key: K): V | undefined {
    this.refresh();
    return this.kept.get(key);
  }

  /** The value, read by `load` and kept unless it is here. */
  async read(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.find(key);
    if (known !== undefined) return known;
    const before = this.validAt;
    const loaded = await load();
    if (loaded !== undefined && this.refresh() === before) this.kept.set(key, loaded);
    return loaded;
  }

  /** The values that there are, by key; those that are not here are read by one `load`. */
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
