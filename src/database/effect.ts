import { keepsAbsence, keyColumnOf } from './cached-tables.js';
import type { Row } from './queryable.js';
import { SqlList, type Sql, type SqlValue } from './sql.js';

/**
 * The effect of a statement on existing rows: none, changes in one table, or unknown. In the tables of which caches
 * keep absent rows (cached-tables.ts) an insert counts as a change.
 */
export type Effect = 'none' | 'unknown' | TableEffect;

type Kind = 'insert' | 'update' | 'delete';

interface TableEffect {
  readonly table: string;
  readonly kind: Kind;
  /** The parameters that every changed row equals, by column; empty if they do not include the key of the table. */
  readonly parameters: ReadonlyMap<string, number>;
  /** The column to which an UPDATE of one row adds its first parameter, if it does nothing else. */
  readonly increments?: string | undefined;
}

export interface Increment {
  readonly column: string;
  readonly by: number;
}

/** A change of rows in one table. */
export interface Change {
  readonly table: string;
  /** What happened to the rows; an upsert is an update. */
  readonly kind: Kind;
  /** The values of the table's key column (cached-tables.ts) in the changed rows; absent if any row may have changed. */
  readonly keys?: readonly bigint[];
  /** The other values of the changed row, by column, if the statement names the row by values alone. */
  readonly row?: Readonly<Record<string, SqlValue>>;
  /** What the statement adds to a column, if it does nothing else. */
  readonly increment?: Increment | undefined;
  /** A new row (`Tx.stored`). No cache knows it yet. */
  readonly stored?: Row;
}

const READS = /^\s*(?:SELECT|PRAGMA|EXPLAIN)\b/i;
const READS_WITH = /^\s*WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|REPLACE|MERGE)\b)/i;
const CHANGES = /^\s*(UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;
const INSERT = /^\s*INSERT\s+INTO\s+(\w+)/i;
const UPSERT = /\bON\s+CONFLICT\s*\(([^()]*)\)\s*DO\s+UPDATE\b/i;
/** One row of values; a list of rows has a comma behind the first. */
const ONE_ROW = /^\s*INSERT\s+INTO\s+\w+\s*\(([^()]*)\)\s*VALUES\s*\(([^()]*)\)\s*(?!,)(?=\S|$)/i;
const CONDITIONS = /\bWHERE\b([\s\S]*)$/i;
/** A condition with single spaces; the last one may have more behind it. */
const EQUALITY = /^(\w+) (?:=|IN) \0(?: RETURNING .*)?$/i;
const INCREMENT = /^\s*UPDATE \w+ SET (\w+) = \1 \+ \0 WHERE \w+ = \0\s*$/i;
/** Sets a column to itself: the statement only locks its rows (stores/locks.ts). */
const LOCK = /^\s*UPDATE \w+ SET (\w+) = \1 WHERE\b/i;
/** Words with which equality of a column does not limit the changed rows. */
const OTHER_LOGIC = /\b(?:OR|NOT|SELECT)\b/i;

/** Stands for a parameter in the text of a statement. */
const PARAMETER = '\0';
const NONE: ReadonlyMap<string, number> = new Map();

/** The effects of source lines, which each connection prepares. */
const known = new WeakMap<readonly string[], Effect>();

/** Derives the effect from the text: all statements are written by hand and start with their verb. */
export function effectOf({ strings }: Pick<Sql, 'strings'>): Effect {
  const effect = known.get(strings) ?? derivedFrom(strings.join(PARAMETER));
  known.set(strings, effect);
  return effect;
}

function derivedFrom(text: string): Effect {
  if (LOCK.test(text)) return 'none';
  const [, verb = '', changed = ''] = CHANGES.exec(text) ?? [];
  if (changed !== '') {
    const table = changed.toLowerCase();
    const kind = /^D/i.test(verb) ? 'delete' : 'update';
    return {
      table,
      kind,
      parameters: keyed(table, conditionsOf(table, text)),
      increments: INCREMENT.exec(text)?.[1],
    };
  }
  const table = INSERT.exec(text)?.[1]?.toLowerCase();
  if (table !== undefined) return insertEffect(table, text);
  return READS.test(text) || READS_WITH.test(text) ? 'none' : 'unknown';
}

function insertEffect(table: string, text: string): Effect {
  const isUpsert = /\bDO\s+UPDATE\b/i.test(text);
  if (!isUpsert && !keepsAbsence(table)) return 'none';
  // An upsert that finds its row by other columns may change a row with another key.
  const found = UPSERT.exec(text)?.[1]
    ?.split(',')
    .map((column) => column.trim());
  const isByKey = !isUpsert || found?.includes(keyColumnOf(table)) === true;
  const parameters = isByKey ? keyed(table, valuesOf(text)) : NONE;
  return { table, kind: isUpsert ? 'update' : 'insert', parameters };
}

function keyed(table: string, parameters: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return parameters.has(keyColumnOf(table)) ? parameters : NONE;
}

/**
 * Returns the columns that the WHERE of a statement compares with a parameter or a list: only the key if there are
 * other conditions, since rows with these values may then stay as they are.
 */
function conditionsOf(table: string, text: string): ReadonlyMap<string, number> {
  const where = CONDITIONS.exec(text);
  if (!where || OTHER_LOGIC.test(text)) return NONE;
  const before = text.slice(0, where.index);
  const key = keyColumnOf(table);
  if (new RegExp(`\\b${key}\\s*=`, 'i').test(before)) return NONE;
  let index = parametersIn(before);
  const conditions = (where[1] ?? '').split(/\bAND\b/i).map((condition) => {
    const column = EQUALITY.exec(condition.trim().replace(/\s+/g, ' '))?.[1]?.toLowerCase();
    const at = index;
    index += parametersIn(condition);
    return [column, at] as const;
  });
  const areAll = conditions.every(([column]) => column !== undefined);
  return new Map(
    conditions.flatMap(([column, at]) =>
      column !== undefined && (areAll || column === key) ? [[column, at]] : [],
    ),
  );
}

/** Returns the columns that an INSERT of one row sets to a parameter. */
function valuesOf(text: string): ReadonlyMap<string, number> {
  const [, names = '', values = ''] = ONE_ROW.exec(text) ?? [];
  const columns = names.split(',').map((name) => name.trim().toLowerCase());
  const parts = values.split(',');
  if (columns.length !== parts.length) return NONE;
  const parameters = new Map<string, number>();
  let index = 0;
  parts.forEach((part, at) => {
    if (part.trim() === PARAMETER) parameters.set(columns[at] ?? '', index);
    index += parametersIn(part);
  });
  return parameters;
}

function parametersIn(text: string): number {
  return text.split(PARAMETER).length - 1;
}

/** Returns what one run of a statement changed. */
function changeOf({ table, kind, parameters, increments }: TableEffect, params: Sql['params']): Change {
  if (parameters.size === 0) return { table, kind };
  const row: Record<string, SqlValue> = {};
  let keys: readonly unknown[] = [];
  for (const [column, index] of parameters) {
    const value = params[index];
    if (column === keyColumnOf(table)) keys = value instanceof SqlList ? value.values : [value ?? null];
    else if (!(value instanceof SqlList)) row[column] = value ?? null;
  }
  // A key of another type would not be found in caches.
  const areIds = keys.every((key): key is bigint => typeof key === 'bigint');
  if (!areIds) return { table, kind };
  const increment = increments === undefined ? undefined : { column: increments, by: Number(params[0]) };
  return { table, kind, keys: keys as readonly bigint[], row, increment };
}

/** A transaction with more changes invalidates whole tables: it is an import, and keys would take much memory. */
const MAX_CHANGES = 1_000;

/** Collects what a transaction changes. */
export class ChangeSet implements Iterable<Change | 'unknown'> {
  private changes: Change[] = [];
  private readonly wholeTables = new Set<string>();
  private isUnknown = false;

  /** Adds a statement that ran. Without changed `rows` it counts for nothing, unless its effect is unknown. */
  add(effect: Effect, params: Sql['params'], rows: number): void {
    if (effect === 'unknown') this.isUnknown = true;
    else if (effect === 'none' || rows === 0) return;
    else if (effect.parameters.size === 0) this.wholeTables.add(effect.table);
    else this.push(changeOf(effect, params));
  }

  /** Adds a change, after those of the statements so far. */
  push(change: Change): void {
    this.changes.push(change);
    if (this.changes.length <= MAX_CHANGES) return;
    for (const { table } of this.changes) this.wholeTables.add(table);
    this.changes = [];
  }

  *[Symbol.iterator](): Iterator<Change | 'unknown'> {
    if (this.isUnknown) yield 'unknown';
    for (const table of this.wholeTables) yield { table, kind: 'update' };
    for (const change of this.changes) if (!this.wholeTables.has(change.table)) yield change;
  }
}
