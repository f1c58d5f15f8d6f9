import { asNumber } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { list, statement, type Parameter, type Sql, type SqlValue } from './sql.js';

/** A parameter of a statement; an array is bound as a list. */
type QueryParameter = Parameter | readonly (bigint | string)[];

/** Decodes a column (decode.ts). */
type Decode<V> = (value: SqlValue | undefined) => V;

/**
 * Creates the query that returns the values of the only column of a SELECT or RETURNING. `text` has `?` for each of
 * `Params`. An empty list selects no row, and nothing is asked.
 */
export function listQuery<V, Params extends readonly QueryParameter[]>(decode: Decode<V>, text: string) {
  const bind = binder(text);
  return async (db: Queryable, ...params: Params): Promise<V[]> => {
    if (params.some((value) => isList(value) && value.length === 0)) return [];
    return (await db.all(bind(params))).map((row) => decode(Object.values(row)[0]));
  };
}

/** Creates the same query for a set of the values. */
export function setQuery<V, Params extends readonly QueryParameter[]>(decode: Decode<V>, text: string) {
  const find = listQuery<V, Params>(decode, text);
  return async (db: Queryable, ...params: Params): Promise<Set<V>> => new Set(await find(db, ...params));
}

/** Creates the query that returns the only column of the first row, or undefined without rows; otherwise as above. */
export function valueQuery<V, Params extends readonly QueryParameter[]>(decode: Decode<V>, text: string) {
  const bind = binder(text);
  return async (db: Queryable, ...params: Params): Promise<V | undefined> => {
    const row = await db.get(bind(params));
    return row && decode(Object.values(row)[0]);
  };
}

/** Creates the query that counts rows: `from` is the text of a SELECT behind FROM, with `?` as above. */
export function countQuery<Params extends readonly QueryParameter[]>(from: string) {
  const bind = binder(`SELECT COUNT(*) AS n FROM ${from}`);
  return async (db: Queryable, ...params: Params): Promise<number> =>
    asNumber((await db.get(bind(params)))?.n);
}

/** Creates the query that reports whether a SELECT returns a row; `text` as above. */
export function existsQuery<Params extends readonly QueryParameter[]>(text: string) {
  const bind = binder(text);
  return async (db: Queryable, ...params: Params): Promise<boolean> =>
    (await db.get(bind(params))) !== undefined;
}

/** Creates the statement that changes at most one row and reports whether it did; `text` as above. */
export function rowChange<Params extends readonly QueryParameter[]>(text: string) {
  const bind = binder(text);
  return async (tx: Tx, ...params: Params): Promise<boolean> => (await tx.run(bind(params))) === 1;
}

function binder(text: string): (params: readonly QueryParameter[]) => Sql {
  const query = statement(text);
  return (params) => query(...params.map((value) => (isList(value) ? list(value) : value)));
}

function isList(value: QueryParameter): value is readonly (bigint | string)[] {
  return Array.isArray(value);
}
