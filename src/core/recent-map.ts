/** The operations of a `Map` that a RecentMap needs, such as those of an `IdMap`. */
export interface Entries<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
}

/**
 * A map of at most `max` recently set or found values. It evicts half of them at once, since evicting one by one is
 * slow.
 */
export class RecentMap<K, V> {
  private recent: Entries<K, V>;
  private earlier: Entries<K, V>;

  constructor(
    private readonly max: number,
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
    if (this.recent.size >= this.max / 2) {
      this.earlier = this.recent;
      this.recent = this.create();
    }
    this.recent.set(key, value);
  }

  delete(key: K): void {
    this.recent.delete(key);
    this.earlier.delete(key);
  }

  clear(): void {
    this.recent = this.create();
    this.earlier = this.create();
  }
}
