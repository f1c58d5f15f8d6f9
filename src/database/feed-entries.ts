import { CACHED_TABLES } from './cached-tables.js';
import type { Change } from './effect.js';

/** The changes of one or more transactions, in order. */
export type Changes = readonly (Change | 'unknown')[];

export const UNKNOWN: Changes = ['unknown'];

type EncodedChange = readonly [
  table: string,
  kind: Change['kind'],
  keys?: readonly string[],
  row?: Readonly<Record<string, string>>,
];

/**
 * Encodes changes for other processes; undefined if none concerns a cached table. Of the other values of a row it
 * keeps the ids. `*` stands for a change of any table.
 */
export function encodeChanges(
  changes: Iterable<Change | 'unknown'>,
  cachedTables: readonly string[] = CACHED_TABLES,
): string | undefined {
  const entries: EncodedChange[] = [];
  for (const change of changes) {
    if (change === 'unknown') return '*';
    if (cachedTables.includes(change.table)) entries.push(encoded(change));
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
