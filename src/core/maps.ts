/** Numbers of 64 bits, and the same as two of 32: reading a BigInt through them is much faster than hashing it. */
const scratch = new BigUint64Array(1);
const halves = new Uint32Array(scratch.buffer);

const MIN_CAPACITY = 8;

/** Returns a number of 32 bits, from 0, which is about evenly distributed for ids. */
export function hashOf(id: bigint): number {
  scratch[0] = id;
  return hashHalves(halves[0] as number, halves[1] as number) >>> 0;
}

function hashHalves(low: number, high: number): number {
  const hash = Math.imul(low ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
  return hash ^ (hash >>> 15);
}

/**
 * A map by id, for look-ups that are frequent enough to matter: they take a third of the time of a `Map` with BigInt
 * keys. Ids are from 0 to 2^64 - 1; others are never found. Values must not be undefined.
 *
 * Uses open addressing with linear probing; at most half of the slots are used.
 */
export class IdMap<K extends bigint, V> {
  private used = 0;
  /** The ids as pairs of halves. */
  private ids = new Uint32Array(0);
  private values: (V | undefined)[] = [];

  get size(): number {
    return this.used;
  }

  get(id: K): V | undefined {
    if (this.used === 0) return undefined;
    const value = this.values[this.slotOf(id)];
    return value !== undefined && scratch[0] === id ? value : undefined;
  }

  has(id: K): boolean {
    return this.get(id) !== undefined;
  }

  /** Throws RangeError for an id outside the range. */
  set(id: K, value: V): this {
    if (2 * (this.used + 1) > this.values.length) this.grow();
    const slot = this.slotOf(id);
    if (scratch[0] !== id) throw new RangeError(`not an id: ${id}`);
    if (this.values[slot] === undefined) {
      this.used += 1;
      this.ids[2 * slot] = halves[0] as number;
      this.ids[2 * slot + 1] = halves[1] as number;
    }
    this.values[slot] = value;
    return this;
  }

  delete(id: K): boolean {
    if (!this.has(id)) return false;
    let hole = this.slotOf(id);
    this.values[hole] = undefined;
    this.used -= 1;
    // Moves back the entries that were placed behind the hole because it was occupied.
    for (let slot = this.after(hole); this.values[slot] !== undefined; slot = this.after(slot)) {
      const home = this.homeOf(this.ids[2 * slot] as number, this.ids[2 * slot + 1] as number);
      if (this.distance(home, slot) < this.distance(hole, slot)) continue;
      this.move(slot, hole);
      hole = slot;
    }
    return true;
  }

  forEach(visit: (value: V, id: K) => void): void {
    const all = new BigUint64Array(this.ids.buffer);
    for (const [slot, value] of this.values.entries()) if (value !== undefined) visit(value, all[slot] as K);
  }

  /** Returns the slot of the id, or the empty slot where it belongs; the id is in `scratch` then. */
  private slotOf(id: K): number {
    scratch[0] = id;
    const low = halves[0] as number;
    const high = halves[1] as number;
    const { ids, values } = this;
    let slot = this.homeOf(low, high);
    while (values[slot] !== undefined && (ids[2 * slot] !== low || ids[2 * slot + 1] !== high)) {
      slot = this.after(slot);
    }
    return slot;
  }

  private homeOf(low: number, high: number): number {
    return hashHalves(low, high) & (this.values.length - 1);
  }

  private after(slot: number): number {
    return (slot + 1) & (this.values.length - 1);
  }

  /** Returns how many slots `to` is behind `from`. */
  private distance(from: number, to: number): number {
    return (to - from) & (this.values.length - 1);
  }

  private move(from: number, to: number): void {
    this.ids.copyWithin(2 * to, 2 * from, 2 * from + 2);
    this.values[to] = this.values[from];
    this.values[from] = undefined;
  }

  private grow(): void {
    const { ids, values } = this;
    const capacity = Math.max(MIN_CAPACITY, 2 * values.length);
    this.ids = new Uint32Array(2 * capacity);
    this.values = Array.from({ length: capacity });
    for (const [slot, value] of values.entries()) {
      if (value === undefined) continue;
      const low = ids[2 * slot] as number;
      const high = ids[2 * slot + 1] as number;
      let free = this.homeOf(low, high);
      while (this.values[free] !== undefined) free = this.after(free);
      this.ids[2 * free] = low;
      this.ids[2 * free + 1] = high;
      this.values[free] = value;
    }
  }
}

/** A set of ids for look-ups. */
export type Ids<K extends bigint> = Pick<ReadonlySet<K>, 'size' | 'has'>;

/** A set of ids, as fast as `IdMap`. */
export class IdSet<K extends bigint> implements Ids<K> {
  private readonly map = new IdMap<K, true>();

  constructor(ids: Iterable<K> = []) {
    for (const id of ids) this.add(id);
  }

  get size(): number {
    return this.map.size;
  }

  has(id: K): boolean {
    return this.map.has(id);
  }

  add(id: K): void {
    this.map.set(id, true);
  }

  forEach(visit: (id: K) => void): void {
    this.map.forEach((_, id) => visit(id));
  }
}

/**
 * A map of recently set or found values, of `max` at most. It evicts half of them at once, since evicting one by one is
 * slow.
 */
export class RecentMap<K, V> {
  private recent = new Map<K, V>();
  private earlier = new Map<K, V>();

  constructor(private readonly max: number) {}

  get(key: K): V | undefined {
    const value = this.recent.get(key);
    if (value !== undefined) return value;
    const before = this.earlier.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: K, value: V): void {
    if (this.recent.size >= this.max / 2) {
      this.earlier = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, value);
  }
}
