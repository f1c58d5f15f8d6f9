/** The operations of a `Map` that a RecentMap needs, such as those of an `IdMap`. */
export interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
}

/**
 * A map of recently set or found values with a total weight of about `max` at most; a value weighs 1 by default. It
 * evicts half of them at once, since evicting one by one is slow.
 */
export class RecentMap<K, V> {
  private recent: Entries<K, V>;
  private earlier: Entries<K, V>;
  private recentWeight = 0;

  constructor(
    private readonly max: number,
    private readonly weightOf: (value: V) => number = () => 1,
    private readonly create: () => Entries<K, V> = () => new Map(),
  ) {
    this.recent = create();
    this.earlier = create();
  }

  get(key: K): V | undefined {
    const value = this.recent.get(key);
    if (value !== undefined) return value;
    const before = this.earlier.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: K, value: V): void {
    if (this.recentWeight >= this.max / 2) {
      this.earlier = this.recent;
      this.recent = this.create();
      this.recentWeight = 0;
    }
    this.recentWeight += this.weightOf(value) - this.recentWeightOf(key);
    this.recent.set(key, value);
  }

  delete(key: K): void {
    this.recentWeight -= this.recentWeightOf(key);
    this.recent.delete(key);
    this.earlier.delete(key);
  }

  clear(): void {
    this.recent = this.create();
    this.earlier = this.create();
    this.recentWeight = 0;
  }

  private recentWeightOf(key: K): number {
    const value = this.recent.get(key);
    return value === undefined ? 0 : this.weightOf(value);
  }
}
