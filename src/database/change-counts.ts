import type { Effect } from './effect.js';

/** Counts changed and deleted rows by table, as far as this process knows. */
export interface ChangeCounts {
  add(effect: Effect): void;
  /** Returns a number that grows with every change in these tables and with every change of unknown extent. */
  sum(tables: readonly string[]): number;
}

/** Creates counters that only grow: equal sums mean that no counter changed. */
export function createChangeCounts(): ChangeCounts {
  const byTable = new Map<string, number>();
  let anywhere = 0;
  return {
    add: (effect) => {
      if (effect === 'unknown') anywhere += 1;
      else if (effect !== 'none') byTable.set(effect.changes, (byTable.get(effect.changes) ?? 0) + 1);
    },
    sum: (tables) => {
      let sum = anywhere;
      for (const table of tables) sum += byTable.get(table) ?? 0;
      return sum;
    },
  };
}
