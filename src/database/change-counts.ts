import type { Effect } from './effect.js';

/** How often rows of which tables were changed or removed, as far as this process has heard. */
export interface ChangeCounts {
  add(effect: Effect): void;
  /** A number that grows with every change in these tables and with every change that may be anywhere. */
  sum(tables: readonly string[]): number;
}

/** Sums of numbers that only grow: equal sums mean that none of them grew. */
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
