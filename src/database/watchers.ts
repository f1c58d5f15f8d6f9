import type { Clock } from '../core/clock.js';
import { CACHED_TABLES } from './cached-tables.js';
import type { Change, Increment } from './effect.js';
import type { Row } from './queryable.js';

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

/** For how long another process counts as active. */
const ACTIVE_MS = 60_000;

/** Remembers whether other processes were active recently. Then entries hold new rows and increments for them. */
export class OtherProcesses {
  private seenAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Notes that one of them has committed, or holds the lease of the feed (postgres/feed-lease.ts). */
  noteActive(): void {
    this.seenAt = this.clock();
  }

  /** Reports whether one of them was seen within the last minute. */
  areActive(): boolean {
    return this.clock() - this.seenAt < ACTIVE_MS;
  }
}

/** Stands for changes of any table. */
export const ANY_CHANGES = '*';

/** What `encodeChanges` writes for changes of no cached table. */
export const NO_CHANGES = '[]';

type EncodedChange = readonly [
  table: string,
  kind: Change['kind'],
  keys?: readonly string[],
  row?: Readonly<Record<string, string>>,
  /** Other builds ignore it: they drop the values of the keys. */
  known?: { readonly stored?: EncodedRow; readonly increment?: Increment },
];

/** Integers of 64 bits are in arrays. */
type EncodedRow = Readonly<Record<string, string | number | null | readonly [string]>>;

/** Other processes read longer texts themselves. */
const MAX_TEXT = 2_000;

/**
 * Encodes changes for other processes; undefined if none concerns a cached table. Of the other values of a row it keeps
 * the ids. `forOthers` adds new rows, which no cache needs to know, and increments: they save other processes reads.
 */
export function encodeChanges(
  changes: Iterable<Change | 'unknown'>,
  {
    cachedTables = CACHED_TABLES,
    forOthers = false,
  }: { readonly cachedTables?: readonly string[]; readonly forOthers?: boolean } = {},
): string | undefined {
  const entries: EncodedChange[] = [];
  for (const change of changes) {
    if (change === 'unknown') return ANY_CHANGES;
    if (!cachedTables.includes(change.table)) continue;
    if (change.stored === undefined) entries.push(encoded(change, forOthers));
    else if (forOthers) entries.push(...encodedNew(change, change.stored));
  }
  return entries.length === 0 ? undefined : JSON.stringify(entries);
}

/** Decodes what `encodeChanges` returned. */
export function decodeChanges(text: string): Changes {
  if (text === ANY_CHANGES) return UNKNOWN;
  return (JSON.parse(text) as EncodedChange[]).map(([table, kind, keys, row, known]) => ({
    table,
    kind,
    keys: keys?.map(BigInt),
    row: row && Object.fromEntries(Object.entries(row).map(([column, id]) => [column, BigInt(id)])),
    ...(known?.increment && { increment: known.increment }),
    ...(known?.stored && { stored: decodedRow(known.stored) }),
  }));
}

function encoded({ table, kind, keys, row, increment }: Change, forOthers: boolean): EncodedChange {
  if (keys === undefined) return [table, kind];
  const ids: Record<string, string> = {};
  for (const [column, value] of Object.entries(row ?? {})) {
    if (typeof value === 'bigint') ids[column] = String(value);
  }
  const entry = [table, kind, keys.map(String), ids] as const;
  return increment && forOthers ? [...entry, { increment }] : entry;
}

/** Returns no change for a row with a long text or bytes. */
function encodedNew({ table, kind, keys = [] }: Change, row: Row): EncodedChange[] {
  const stored: Record<string, EncodedRow[string]> = {};
  for (const [column, value] of Object.entries(row)) {
    if (typeof value === 'bigint') stored[column] = [String(value)];
    else if (value instanceof Uint8Array || (typeof value === 'string' && value.length > MAX_TEXT)) return [];
    else stored[column] = value;
  }
  return [[table, kind, keys.map(String), {}, { stored }]];
}

function decodedRow(row: EncodedRow): Row {
  const values = Object.entries(row).map(([column, value]) => [
    column,
    Array.isArray(value) ? BigInt(value[0] as string) : value,
  ]);
  return Object.fromEntries(values) as Row;
}
