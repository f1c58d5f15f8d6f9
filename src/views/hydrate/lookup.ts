/** Stored values by id, from a cache or the database. */
export interface Source<K, V> {
  /** Returns the value if it is cached and valid at this moment. */
  find(id: K): V | undefined;
  /** Returns the existing values; reads those that are not cached. The caller owns the map. */
  readAll(ids: readonly K[]): Promise<Map<K, V>>;
}

/**
 * Looks values up for one response: those that are cached at once, the others after `fetch`. Values that were fetched
 * stay the same until they are fetched again.
 */
export class Lookup<K, V> {
  private fetched: Map<K, V | undefined> | undefined;
  private missing: Set<K> | undefined;

  constructor(private readonly source: Source<K, V>) {}

  /** Returns undefined for a value that does not exist, or that is missing until the next `fetch`. */
  find(id: K): V | undefined {
    const { fetched } = this;
    if (fetched?.has(id)) return fetched.get(id);
    const value = this.source.find(id);
    if (value === undefined) (this.missing ??= new Set()).add(id);
    return value;
  }

  /** Reports whether a value was looked up that is neither cached nor fetched. */
  isMissingValues(): boolean {
    return this.missing !== undefined;
  }

  /** Reads the missing values. */
  async fetch(): Promise<void> {
    if (this.missing === undefined) return;
    const ids = [...this.missing];
    this.missing = undefined;
    await this.read(ids);
  }

  /** Reads the missing values, and all values that were fetched before again. */
  async fetchAgain(): Promise<void> {
    const ids = [...(this.fetched?.keys() ?? []), ...(this.missing ?? [])];
    this.missing = undefined;
    if (ids.length > 0) await this.read(ids);
  }

  private async read(ids: readonly K[]): Promise<void> {
    const found = await this.source.readAll(ids);
    this.fetched ??= new Map();
    for (const id of ids) this.fetched.set(id, found.get(id));
  }
}
