import type { Queryable, Row, Tx } from '../../database/engine.js';
import { asId, list, statement, type Sql, type SqlValue } from '../../database/sql.js';

/** The values of a row, in the order of the columns that were asked for. */
export type Values = readonly SqlValue[];

/** Columns of a table, or expressions over them. */
export interface Source {
  readonly table: string;
  readonly columns: readonly string[];
  /** The places of the columns of the primary key, in its order. */
  readonly key: readonly number[];
}

/** Small enough to delay no other reader, large enough to make statements few. */
const PAGE = 1_000;

/** Rows that one statement looks up by keys of several columns. */
const LOOKED_UP = 250;

/** Yields all rows, a chunk at a time, in the order of the primary key. */
export async function* pagesOf(
  db: Queryable,
  { table, columns, key }: Source,
  size = PAGE,
): AsyncGenerator<Values[]> {
  const order = key.map((place) => columns[place]).join(', ');
  const select = `SELECT ${named(columns)} FROM ${table}`;
  const first = statement(`${select} ORDER BY ${order} LIMIT ?`);
  const next = statement(`${select} WHERE (${order}) > (${places(key.length)}) ORDER BY ${order} LIMIT ?`);
  let last: Values | undefined;
  for (;;) {
    const after = last;
    const rows = await db.all(after ? next(...key.map((place) => after[place]), size) : first(size));
    const page = rows.map((row) => valuesIn(row, columns.length));
    if (page.length > 0) yield page;
    if (page.length < size) return;
    last = page.at(-1);
  }
}

/** Returns the rows with these keys, by `textOf` of their keys. */
export async function findRows(
  db: Queryable,
  { table, columns, key }: Source,
  keys: readonly Values[],
): Promise<Map<string, Values>> {
  const found = new Map<string, Values>();
  const names = key.map((place) => columns[place] ?? '');
  for (let at = 0; at < keys.length; at += LOOKED_UP) {
    const chunk = keys.slice(at, at + LOOKED_UP);
    const query = lookup(`SELECT ${named(columns)} FROM ${table}`, names, chunk);
    for (const row of await db.all(query)) {
      const values = valuesIn(row, columns.length);
      found.set(textOf(key.map((place) => values[place] ?? null)), values);
    }
  }
  return found;
}

/** Returns the row with this key. */
export async function findRow(db: Queryable, source: Source, key: Values): Promise<Values | undefined> {
  return (await findRows(db, source, [key])).get(textOf(key));
}

export async function insertRow(tx: Tx, { table, columns }: Source, values: Values): Promise<void> {
  await tx.run(
    statement(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places(columns.length)})`)(...values),
  );
}

/** Deletes the row with this key. */
export async function deleteRow(tx: Tx, { table, columns, key }: Source, values: Values): Promise<void> {
  const conditions = key.map((place) => `${columns[place]} = ?`).join(' AND ');
  await tx.run(statement(`DELETE FROM ${table} WHERE ${conditions}`)(...values));
}

/** Returns the key of a row. */
export function keyOf({ key }: Pick<Source, 'key'>, row: Values): Values {
  return key.map((place) => row[place] ?? null);
}

/** Returns a text that only equal values have, however a driver returns numbers. */
export function textOf(values: Values): string {
  return values.map(String).join('\u0000');
}

/** Names a row for people. */
export function nameOf({ table, columns }: Source, key: readonly number[], row: Values): string {
  return [table, ...key.map((place) => `${columns[place]}=${String(row[place])}`)].join(' ');
}

/** Selects rows by keys. Lists of rows are values whose types a server must be told. */
function lookup(select: string, names: readonly string[], keys: readonly Values[]): Sql {
  const [first = []] = keys;
  if (names.length === 1)
    return statement(`${select} WHERE ${names[0]} IN ?`)(
      list(keys.map(([value]) => (typeof value === 'string' ? value : asId(value)))),
    );
  const types = first.map((value) => `CAST(? AS ${typeof value === 'string' ? 'TEXT' : 'BIGINT'})`);
  const rows = keys.map(() => `(${types.join(', ')})`).join(', ');
  return statement(`${select} WHERE (${names.join(', ')}) IN (VALUES ${rows})`)(...keys.flat());
}

function named(columns: readonly string[]): string {
  return columns.map((column, place) => `${column} AS c${place}`).join(', ');
}

function valuesIn(row: Row, count: number): Values {
  return Array.from({ length: count }, (_unused, place) => row[`c${place}`] ?? null);
}

function places(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
