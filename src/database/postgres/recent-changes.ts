import type { Change } from '../effect.js';

/** Older ones are forgotten: a few minutes of a busy server, much longer than a commit takes. */
const MAX_ROWS = 50_000;

/**
 * Remembers which rows changed recently. A new row reaches the caches some time after it was read or written: a change that
 * arrived meanwhile is newer.
 */
export class RecentChanges {
  private count = 0;
  private rows = 0;
  /** Any row may have changed before. */
  private forgottenAt = 0;
  private byTable = new Map<string, Map<bigint, number>>();

  /** Returns a time for `since`. */
  now(): number {
    return this.count;
  }

  add(change: Change | 'unknown'): void {
    this.count += 1;
    if (change === 'unknown' || change.keys === undefined) return this.forget();
    let known = this.byTable.get(change.table);
    if (!known) this.byTable.set(change.table, (known = new Map()));
    const before = known.size;
    for (const key of change.keys) known.set(key, this.count);
    this.rows += known.size - before;
    if (this.rows > MAX_ROWS) this.forget();
  }

  /** Reports whether a row of the change may have changed after a time. */
  since(time: number, { table, keys }: Change): boolean {
    if (time < this.forgottenAt) return true;
    const known = this.byTable.get(table);
    return known !== undefined && keys?.some((key) => (known.get(key) ?? 0) > time) === true;
  }

  private forget(): void {
    this.forgottenAt = this.count;
    this.byTable = new Map();
    this.rows = 0;
  }
}
