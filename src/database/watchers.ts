import type { Change } from './effect.js';

export type KeyedChange = Change & { readonly keys: readonly bigint[] };

/** Handles a change with keys. Returns false if it cannot: then everything read from the table is invalid. */
export type TakeChange = (change: KeyedChange) => boolean;

/** Tells caches which rows changed, as far as this process knows (Engine.changesIn). */
export interface Watchers {
  add(change: Change | 'unknown'): void;
  /** See Engine.changesIn. */
  watch(tables: readonly string[], take?: TakeChange): () => number;
}

interface Watcher {
  readonly take: TakeChange | undefined;
  version: number;
}

/**
 * Creates watchers. `hasMissed` reports whether changes of other processes may have been missed since its last call:
 * then every table counts as changed.
 */
export function createWatchers(hasMissed?: () => boolean): Watchers {
  const all: Watcher[] = [];
  const byTable = new Map<string, Watcher[]>();
  const changeAll = (): void => {
    for (const watcher of all) watcher.version += 1;
  };
  return {
    add: (change) => {
      if (change === 'unknown') return changeAll();
      const { keys } = change;
      for (const watcher of byTable.get(change.table) ?? []) {
        if (keys === undefined || watcher.take?.({ ...change, keys }) !== true) watcher.version += 1;
      }
    },
    watch: (tables, take) => {
      const watcher: Watcher = { take, version: 0 };
      all.push(watcher);
      for (const table of tables) byTable.set(table, [...(byTable.get(table) ?? []), watcher]);
      return () => {
        if (hasMissed?.()) changeAll();
        return watcher.version;
      };
    },
  };
}
