import { nextTick } from 'node:process';
import { IdMap, RecentMap } from '../core/maps.js';
import type { Engine } from './engine.js';
import type { KeyedChange } from './watchers.js';

/** Drops the values of the changed keys, for caches with the keys of their tables. */
export function byKey<K, V>({ keys }: KeyedChange, cache: RowCache<K, V>): boolean {
  for (const key of keys) cache.change(key as K);
  return true;
}

type LoadAll<K, V> = (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;

/** A read of several keys that is waiting or running. */
interface Load<K, V> {
  readonly keys: Set<K>;
  /** The keys that changed since it was opened: what it reads of them may be old. */
  readonly changed: Set<K>;
  readonly version: number;
  readonly loadAll: LoadAll<K, V>;
  hasStarted: boolean;
  readonly result: Promise<ReadonlyMap<K, V>>;
}

/** Waits for the load of each key and adds what it found. */
async function take<K, V>(keys: readonly K[], loads: readonly Load<K, V>[], found: Map<K, V>): Promise<void> {
  const results = new Map<Load<K, V>, ReadonlyMap<K, V>>();
  await Promise.all(
    [...new Set(loads)].map(async (load) => {
      results.set(load, await load.result);
    }),
  );
  for (const [index, key] of keys.entries()) {
    const load = loads[index];
    const value = load && results.get(load)?.get(key);
    if (value !== undefined) found.set(key, value);
  }
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
  /** Loads that wait or run. */
  private readonly loads = new Set<Pick<Load<K, V>, 'changed'>>();
  /** The last of those that run, for each key. */
  private readonly loading = new Map<K, Load<K, V>>();
  /** The load of this turn of the microtask queue. */
  private waiting: Load<K, V> | undefined;

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

  /**
   * Replaces a cached value whose rows changed; drops it without `update`, or if that returns undefined. Returns whether
   * it dropped a value.
   */
  change(key: K, update?: (value: V) => V | undefined): boolean {
    const value = this.kept.get(key);
    const next = value === undefined ? undefined : update?.(value);
    if (next === undefined) this.kept.delete(key);
    else if (next !== value) this.kept.set(key, next);
    for (const { changed } of this.loads) changed.add(key);
    return value !== undefined && next === undefined;
  }

  /** Returns the cached value if it is still valid. */
  find(key: K): V | undefined {
    this.refresh();
    const value = this.kept.get(key);
    if (value !== undefined) this.hits += 1;
    return value;
  }

  /** Reports whether a value is cached, valid or not. */
  has(key: K): boolean {
    return this.kept.get(key) !== undefined;
  }

  /** Returns the cached value, or reads it with `load` and caches it. */
  async read(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.find(key);
    if (known !== undefined) return known;
    this.misses += 1;
    const loaded = await this.load({ version: this.validAt, changed: new Set<K>() }, async () => {
      const value = await load();
      return new Map(value === undefined ? [] : [[key, value]]);
    });
    return loaded.get(key);
  }

  /**
   * Returns the existing values by key. `loadAll` reads those that are not cached: once for all calls with this function
   * in a turn of the microtask queue. A value that is being read is not read again, unless it has changed since.
   */
  async readAll(keys: readonly K[], loadAll: LoadAll<K, V>): Promise<Map<K, V>> {
    this.refresh();
    const found = new Map<K, V>();
    const missing: K[] = [];
    for (const key of keys) {
      const value = this.kept.get(key);
      if (value === undefined) missing.push(key);
      else found.set(key, value);
    }
    this.hits += found.size;
    if (missing.length === 0) return found;
    const loads = missing.map((key) => this.running(key) ?? this.waitingFor(key, loadAll));
    const joined = missing.filter((_key, index) => loads[index]?.hasStarted);
    await take(missing, loads, found);
    // A row that a running load did not find may have been inserted since that began.
    const absent = joined.filter((key) => !found.has(key));
    await take(
      absent,
      absent.map((key) => this.waitingFor(key, loadAll)),
      found,
    );
    return found;
  }

  /** Returns the running load whose value of the key is valid. */
  private running(key: K): Load<K, V> | undefined {
    const load = this.loading.get(key);
    return load?.version === this.validAt && !load.changed.has(key) ? load : undefined;
  }

  /** Returns the load of this turn, which reads the key too. */
  private waitingFor(key: K, loadAll: LoadAll<K, V>): Load<K, V> {
    const load = this.waiting?.loadAll === loadAll ? this.waiting : this.open(loadAll);
    load.keys.add(key);
    return load;
  }

  private open(loadAll: LoadAll<K, V>): Load<K, V> {
    const start = (resolve: (result: Promise<ReadonlyMap<K, V>>) => void): void =>
      nextTick(() => resolve(this.run(load)));
    const load: Load<K, V> = {
      keys: new Set(),
      changed: new Set(),
      version: this.validAt,
      loadAll,
      hasStarted: false,
      result: new Promise(start),
    };
    this.loads.add(load);
    this.waiting = load;
    return load;
  }

  private async run(load: Load<K, V>): Promise<ReadonlyMap<K, V>> {
    load.hasStarted = true;
    if (this.waiting === load) this.waiting = undefined;
    const keys = [...load.keys];
    this.misses += keys.length;
    for (const key of keys) this.loading.set(key, load);
    try {
      return await this.load(load, () => load.loadAll(keys));
    } finally {
      for (const key of keys) if (this.loading.get(key) === load) this.loading.delete(key);
    }
  }

  /** Reads values and keeps those that did not change meanwhile. */
  private async load(
    load: Pick<Load<K, V>, 'version' | 'changed'>,
    read: () => Promise<ReadonlyMap<K, V>>,
  ): Promise<ReadonlyMap<K, V>> {
    const { version, changed } = load;
    this.loads.add(load);
    try {
      const loaded = await read();
      if (this.refresh() === version) {
        for (const [key, value] of loaded) if (!changed.has(key)) this.kept.set(key, value);
      }
      return loaded;
    } finally {
      this.loads.delete(load);
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
