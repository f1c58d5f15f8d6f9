import type { Effect } from './effect.js';

/** Which tables' rows were changed how often: what caches ask (Engine.changesIn). */
export interface Changes {
  /** Told of what a transaction did, at once after its commit. */
  committed(effects: Iterable<Effect>): void;
  changesIn(tables: readonly string[]): () => number;
}

/**
 * `dataVersion` is SQLite's number for commits by others (sqlite.org/pragma.html#pragma_data_version); undefined where
 * there are no others. It is asked for once a turn of the event loop: whatever a request may rely on was acknowledged
 * to its sender before the turn that reads the request began.
 */
export function createChanges(dataVersion: (() => unknown) | undefined): Changes {
  const byTable = new Map<string, number>();
  let unknown = 0;
  let foreign = 0;
  let seenVersion: unknown;
  let isFresh = false;

  const foreignChanges = (): number => {
    if (isFresh || !dataVersion) return foreign;
    const version = dataVersion();
    if (version !== seenVersion) {
      seenVersion = version;
      foreign += 1;
    }
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    return foreign;
  };

  return {
    committed: (effects) => {
      for (const effect of effects) {
        if (effect === 'unknown') unknown += 1;
        else if (effect !== 'none') byTable.set(effect.changes, (byTable.get(effect.changes) ?? 0) + 1);
      }
    },
    // Sums of numbers that only grow: equal sums mean that none of them grew.
    changesIn: (tables) => () => {
      let sum = unknown + foreignChanges();
      for (const table of tables) sum += byTable.get(table) ?? 0;
      return sum;
    },
  };
}
