import { CACHED_TABLES } from './cached-tables.js';
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
 * Creates watchers. `missed` returns the changes of other processes since its last call. Every use of a cache calls
 * it.
 */
export function createWatchers(missed: () => Changes = () => NOTHING): Watchers {
  const all: Watcher[] = [];
  const byTable = new Map<string, Watcher[]>();
  const changeAll = (): void => {
    for (const watcher of all) watcher.version += 1;
  };
  const add = (change: Change | 'unknown'): void => {
    if (change === 'unknown') return changeAll();
    const { keys, stored } = change;
    for (const watcher of byTable.get(change.table) ?? []) {
      if (stored !== undefined && watcher.take === undefined) continue;
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
        const changes = missed();
        if (changes.length > 0) for (const change of changes) add(change);
        return watcher.version;
      };
    },
  };
}

/** The changes of one or more transactions, in order. */
export type Changes = readonly (Change | 'unknown')[];

export const UNKNOWN: Changes = ['unknown'];

export const NOTHING: Changes = [];

/** What `encodeChanges` writes for changes of no cached table. */
export const NO_CHANGES = '[]';

type EncodedChange = readonly [
  table: string,
  kind: Change['kind'],
  keys?: readonly string[],
  row?: Readonly<Record<string, string>>,
];

/**
 * Encodes changes for other processes, whose caches do not know new rows; undefined if none concerns a cached table.
 * Of the other values of a row it keeps the ids. `*` stands for a change of any table.
 */
export function encodeChanges(
  changes: Iterable<Change | 'unknown'>,
  cachedTables: readonly string[] = CACHED_TABLES,
): string | undefined {
  const entries: EncodedChange[] = [];
  for (const change of changes) {
    if (change === 'unknown') return '*';
    if (change.stored === undefined && cachedTables.includes(change.table)) entries.push(encoded(change));
  }
  return entries.length === 0 ? undefined : JSON.stringify(entries);
}

/** Decodes what `encodeChanges` returned. */
export function decodeChanges(text: string): Changes {
  if (text === '*') return UNKNOWN;
  return (JSON.parse(text) as EncodedChange[]).map(([table, kind, keys, row]) => ({
    table,
    kind,
    keys: keys?.map(BigInt),
    row: row && Object.fromEntries(Object.entries(row).map(([column, id]) => [column, BigInt(id)])),
  }));
}

function encoded({ table, kind, keys, row }: Change): EncodedChange {
  if (keys === undefined) return [table, kind];
  const ids: Record<string, string> = {};
  for (const [column, value] of Object.entries(row ?? {})) {
    if (typeof value === 'bigint') ids[column] = String(value);
  }
  return [table, kind, keys.map(String), ids];
}
