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

const NONE: readonly Change[] = [];

interface Watcher {
  readonly take: TakeChange | undefined;
  version: number;
}

/**
 * Creates watchers. `missed` returns the changes of other processes since its last call. Every use of a cache calls
 * it.
 */
export function createWatchers(missed: () => Iterable<Change | 'unknown'> = () => NONE): Watchers {
  const all: Watcher[] = [];
  const byTable = new Map<string, Watcher[]>();
  const changeAll = (): void => {
    for (const watcher of all) watcher.version += 1;
  };
  const add = (change: Change | 'unknown'): void => {
    if (change === 'unknown') return changeAll();
    const { keys } = change;
    for (const watcher of byTable.get(change.table) ?? []) {
      if (keys === undefined || watcher.take?.({ ...change, keys }) !== true) watcher.version += 1;
    }
  };
  return {
    add,
    watch: (tables, take) => {
      const watcher: Watcher = { take, version: 0 };
      all.push(watcher);
      for (const table of tables) byTable.set(table, [...(byTable.get(table) ?? []), watcher]);
      return () => {
        for (const change of missed()) add(change);
        return watcher.version;
      };
    },
  };
}
