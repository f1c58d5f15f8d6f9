import { IdMap } from '../core/maps.js';
import type { Increment } from './effect.js';
import type { Engine } from './engine.js';
import type { Row } from './queryable.js';
import type { KeyedChange } from './watchers.js';

/** Drops the values of the changed keys, for caches with the keys of their tables. */
export function byKey<K extends bigint | string, V>({ keys }: KeyedChange, cache: RowCache<K, V>): boolean {
  for (const key of keys) cache.change(key as K);
  return true;
}

/** Does the same, and keeps what `decode` returns of new rows. */
export function byKeyWithRows<V>(decode: (row: Row) => V | undefined) {
  return <K extends bigint | string>(change: KeyedChange, cache: RowCache<K, V>): boolean => {
    const value = change.stored && decode(change.stored);
    if (value === undefined) return byKey(change, cache);
    for (const key of change.keys) cache.add(key as K, value);
    return true;
  };
}

/** Does the same for counts, which are kept by the names of their columns (stores/counts.ts), and adds to them. */
export function byKeyWithCounts<K extends bigint | string, V extends object>(
  change: KeyedChange,
  cache: RowCache<K, V>,
): boolean {
  const { keys, increment, stored } = change;
  for (const key of keys) {
    if (stored) cache.add(key as K, stored as V);
    else cache.change(key as K, increment && ((counts) => added(counts, increment)));
  }
  return true;
}

function added<V extends object>(counts: V, { column, by }: Increment): V {
  return { ...counts, [column]: Number(counts[column as keyof V]) + by };
}

/** The operations of a `Map` that a cache needs. */
interface Entries<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
  forEach(visit: (value: V, key: K) => void): void;
}

/** Something that was made from cached values. It is valid until one of them is changed or evicted. */
export class Derived<T> {
  /** Whether it was used since a cache with one of the values last made room. */
  isUsed = true;

  constructor(
    /** Undefined once it is no longer valid. Read it after `RowCache.refresh`. */
    public value: T | undefined,
    sources: readonly Entry<unknown>[],
  ) {
    for (const source of sources) source.addDerived(this);
  }
}

/** A cached value. */
export class Entry<V> {
  /** Whether the value was found again since the cache last made room. */
  isUsed = false;
  /** How often the cache has made room since the value was last used. */
  age = 0;
  /** What the reader keeps with the value. */
  kept: unknown = undefined;
  private isCurrent = true;
  private derived: Derived<unknown>[] | undefined = undefined;
  private tidyAt = 16;

  constructor(
    readonly value: V,
    /** Its part of the limit of the cache. */
    readonly weight: number,
  ) {}

  addDerived(derived: Derived<unknown>): void {
    if (!this.isCurrent) derived.value = undefined;
    // Most have one. An empty array would get room for 17 by its first element.
    if (this.derived === undefined) {
      this.derived = [derived];
      return;
    }
    if (this.derived.length >= this.tidyAt) {
      this.derived = this.derived.filter(({ value }) => value !== undefined);
      this.tidyAt = 2 * this.derived.length + 16;
    }
    this.derived.push(derived);
  }

  /** Ends what was made from the value. */
  end(): void {
    this.isCurrent = false;
    for (const derived of this.derived ?? []) derived.value = undefined;
    this.derived = undefined;
  }

  /** Reports whether the value, or something made from it, was used since `forgetUse`. */
  wasUsed(): boolean {
    return this.isUsed || this.derived?.some(({ value, isUsed }) => isUsed && value !== undefined) === true;
  }

  forgetUse(): void {
    this.isUsed = false;
    for (const derived of this.derived ?? []) derived.isUsed = false;
  }
}

/** The part of its memory that a full cache frees at once, since it looks at all of its values for this. */
const EVICTED = 1 / 8;

/**
 * Caches the results of reads. A change in the underlying tables, by this process or another, invalidates the rows
 * with its keys, or the whole cache if the keys are unknown. Absent results are not cached, since rows may be
 * inserted. A full cache evicts what was not used for the longest time.
 */
export class RowCache<K extends bigint | string, V> {
  private kept: Entries<K, Entry<V>>;
  private weight = 0;
  private readonly version: () => number;
  private validAt: number;
  /** How many values were found, and how many were read. */
  hits = 0;
  misses = 0;
  /** For each running load the keys that changed meanwhile, whose values may be old, and all keys that it reads. */
  private readonly loads = new Map<Set<K>, readonly K[]>();

  /**
   * Creates a cache of values that are read from some of `tables`, of at most `max` of them, or bytes if `bytesOf`
   * estimates the memory of a value (caches.ts). `take` handles changes with known keys (Engine.changesIn), with
   * `add`, `change` or `dropWhere`; `byKey` suits caches with the keys of their tables (cached-tables.ts). Keys are ids,
   * or texts if `hasTextKeys`.
   */
  constructor(
    engine: Pick<Engine, 'changesIn'>,
    tables: readonly string[],
    private readonly max: number,
    take?: (change: KeyedChange, cache: RowCache<K, V>) => boolean,
    private readonly bytesOf: (value: V) => number = () => 1,
    private readonly hasTextKeys = false,
  ) {
    this.kept = this.createMap();
    this.version = engine.changesIn(tables, take && ((change) => take(change, this)));
    this.validAt = this.version();
  }

  /** The number of values. */
  get entries(): number {
    return this.kept.size;
  }

  /** Their memory, if `bytesOf` estimates it. */
  get bytes(): number {
    return this.weight;
  }

  /** Replaces a cached value whose rows changed; drops it without `update`, or if that returns undefined. */
  change(key: K, update?: (value: V) => V | undefined): void {
    const entry = this.kept.get(key);
    const next = entry && update?.(entry.value);
    if (next === undefined) this.remove(key);
    else if (next !== entry?.value) this.keep(key, next);
    for (const changed of this.loads.keys()) changed.add(key);
  }

  /**
   * Drops the values that a change concerns, for caches with other keys than their tables. Looks at all values, and
   * keeps nothing that is being read, which may be one of them.
   */
  dropWhere(isChanged: (value: V) => boolean): void {
    const dropped: K[] = [];
    this.kept.forEach(({ value }, key) => {
      if (isChanged(value)) dropped.push(key);
    });
    for (const key of dropped) this.remove(key);
    for (const [changed, keys] of this.loads) for (const key of keys) changed.add(key);
  }

  /** Keeps the value of a new row. A value that is cached is as new. */
  add(key: K, value: V): void {
    if (this.kept.get(key) === undefined) this.keep(key, value);
    for (const changed of this.loads.keys()) changed.add(key);
  }

  /** Returns the entry of a value that is cached and still valid, without counting a hit. */
  peek(key: K): Entry<V> | undefined {
    this.refresh();
    return this.kept.get(key);
  }

  /** Returns the entry of a value that is cached and still valid. */
  entry(key: K): Entry<V> | undefined {
    const entry = this.peek(key);
    if (entry === undefined) return undefined;
    // Writing to memory that has the value already would cost time.
    if (!entry.isUsed) entry.isUsed = true;
    this.hits += 1;
    return entry;
  }

  /** Returns the cached value if it is still valid. */
  find(key: K): V | undefined {
    return this.entry(key)?.value;
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
    const found = new Map<K, V>();
    const missing: K[] = [];
    for (const key of keys) {
      const value = this.find(key);
      if (value === undefined) missing.push(key);
      else found.set(key, value);
    }
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
    this.loads.set(changed, keys);
    try {
      const loaded = await load(keys);
      if (this.refresh() === before) {
        for (const [key, value] of loaded) {
          // Another load may have been faster; what was made from its values stays valid.
          if (!changed.has(key) && this.kept.get(key) === undefined) this.keep(key, value);
        }
      }
      return loaded;
    } finally {
      this.loads.delete(changed);
    }
  }

  /** Invalidates the values that have changed. Returns a number that grows when this empties the whole cache. */
  refresh(): number {
    const version = this.version();
    if (version !== this.validAt) {
      this.clear();
      this.validAt = version;
    }
    return version;
  }

  private keep(key: K, value: V): void {
    this.remove(key);
    if (this.weight >= this.max) this.makeRoom();
    const entry = new Entry(value, this.bytesOf(value));
    this.weight += entry.weight;
    this.kept.set(key, entry);
  }

  private remove(key: K): void {
    const entry = this.kept.get(key);
    if (entry === undefined) return;
    this.kept.delete(key);
    entry.end();
    this.weight -= entry.weight;
  }

  private clear(): void {
    this.kept.forEach((entry) => entry.end());
    this.kept = this.createMap();
    this.weight = 0;
  }

  private makeRoom(): void {
    const byAge: (K[] | undefined)[] = [];
    this.kept.forEach((entry, key) => {
      entry.age = entry.wasUsed() ? 0 : entry.age + 1;
      (byAge[entry.age] ??= []).push(key);
    });
    // Only now, since several values may share what was made from them.
    this.kept.forEach((entry) => entry.forgetUse());
    for (const keys of byAge.reverse()) {
      for (const key of keys ?? []) {
        if (this.weight <= (1 - EVICTED) * this.max) return;
        this.remove(key);
      }
    }
  }

  private createMap(): Entries<K, Entry<V>> {
    return this.hasTextKeys ? new Map<K, Entry<V>>() : new IdMap<K & bigint, Entry<V>>();
  }
}
