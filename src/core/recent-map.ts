/**
 * A map of at most `max` recently set or found values. It evicts half of them at once, since evicting one by one is
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

  delete(key: K): void {
    this.recent.delete(key);
    this.earlier.delete(key);
  }

  clear(): void {
    this.recent.clear();
    this.earlier.clear();
  }
}
