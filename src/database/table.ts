import { grouped } from '../core/grouped.js';
import {
  isBackward,
  keysOf,
  mapPage,
  pageOf,
  type KeyRange,
  type Page,
  type PageRequest,
} from '../core/page.js';
import { blankOf } from './blank.js';
import type { Queryable, Row, Tx } from './engine.js';
import {
  asId,
  asNumber,
  inLane,
  rawSql,
  Sql,
  sql,
  statement,
  toParameter,
  type Lane,
  type Parameter,
  SqlList,
  type SqlValue,
} from './sql.js';

/** A parameter of a statement; an array is bound as a list. */
type QueryParameter = Parameter | readonly (bigint | string)[];

/** Decodes a column (sql.ts). */
type Decode<V> = (value: SqlValue | undefined) => V;

/**
 * Creates the query for the rows of a SELECT or RETURNING. `text` has `?` for each of `Params`. An empty list selects no row,
 * and nothing is asked.
 */
export function rowsQuery<T, Params extends readonly QueryParameter[]>(
  decode: (row: Row) => T,
  text: string,
) {
  const bind = binder(text);
  return async (db: Queryable, ...params: Params): Promise<T[]> =>
    params.some(isEmpty) ? [] : (await db.all(bind(params))).map(decode);
}

/** Creates the query for the values of the only column; otherwise as above. */
export function listQuery<V, Params extends readonly QueryParameter[]>(decode: Decode<V>, text: string) {
  return rowsQuery<V, Params>(onlyColumn(decode), text);
}

/** Creates the same query for a set of the values. */
export function setQuery<V, Params extends readonly QueryParameter[]>(decode: Decode<V>, text: string) {
  const find = listQuery<V, Params>(decode, text);
  return async (db: Queryable, ...params: Params): Promise<Set<V>> => new Set(await find(db, ...params));
}

/** Creates the query for a map of what `decode` makes of each row; otherwise as above. */
export function mapQuery<K, V, Params extends readonly QueryParameter[]>(
  decode: (row: Row) => readonly [K, V],
  text: string,
) {
  const find = rowsQuery<readonly [K, V], Params>(decode, text);
  return async (db: Queryable, ...params: Params): Promise<Map<K, V>> => new Map(await find(db, ...params));
}

/** Creates the query for a map with several values of each key, in the order of the rows; otherwise as above. */
export function groupQuery<K, V, Params extends readonly QueryParameter[]>(
  decode: (row: Row) => readonly [K, V],
  text: string,
) {
  const find = rowsQuery<readonly [K, V], Params>(decode, text);
  return async (db: Queryable, ...params: Params): Promise<Map<K, V[]>> => grouped(await find(db, ...params));
}

/** Creates the query for the first row, or undefined without rows; otherwise as above. */
export function rowQuery<T, Params extends readonly QueryParameter[]>(decode: (row: Row) => T, text: string) {
  const bind = binder(text);
  return async (db: Queryable, ...params: Params): Promise<T | undefined> => {
    const row = await db.get(bind(params));
    return row && decode(row);
  };
}

/** Creates the query for the only column of the first row; otherwise as above. */
export function valueQuery<V, Params extends readonly QueryParameter[]>(decode: Decode<V>, text: string) {
  return rowQuery<V, Params>(onlyColumn(decode), text);
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
  return (tx: Tx, ...params: Params): Promise<boolean> => tx.runOne(bind(params));
}

/** Creates the statement that changes rows and returns their number; otherwise as above. */
export function rowsChange<Params extends readonly QueryParameter[]>(text: string) {
  const bind = binder(text);
  return async (tx: Tx, ...params: Params): Promise<number> =>
    params.some(isEmpty) ? 0 : tx.run(bind(params));
}

/** Options of a page: the key range of the whole list, and the `extra` of its cursors (core/page.ts). */
export interface PageOptions {
  readonly window?: KeyRange;
  readonly extra?: readonly bigint[];
}

/**
 * Creates the query for a page of a list, newest first. `text` is a SELECT that ends with conditions joined by AND, with
 * `?` for each of `Params`. `key` is the column, among those selected, that orders the rows: an index on the compared
 * columns and the key makes every page cost the same.
 */
export function pageQuery<T, Params extends readonly QueryParameter[]>(
  text: string,
  key: string,
  decode: (row: Row) => T,
  lane?: Lane,
) {
  const inOrder = (direction: 'ASC' | 'DESC') =>
    binder(`${text} AND ${key} > ? AND ${key} <= ? ORDER BY ${key} ${direction} LIMIT ?`);
  const [newest, oldest] = [inOrder('DESC'), inOrder('ASC')];
  const column = key.slice(key.indexOf('.') + 1);
  return async (db: Queryable, params: Params, request: PageRequest, options: PageOptions = {}) => {
    const { above, upTo } = keysOf(request, options.window);
    const query = isBackward(request) ? oldest : newest;
    const select = query([...params, above, upTo, request.limit + 1]);
    const rows = await db.all(lane ? inLane(lane, select) : select);
    return mapPage(
      pageOf(rows, request, (row) => asId(row[column]), options.extra),
      decode,
    );
  };
}

function binder(text: string): (params: readonly QueryParameter[]) => Sql {
  const query = statement(text);
  return (params) => query(...params.map((value) => (isList(value) ? new SqlList(value) : value)));
}

const onlyColumn =
  <V>(decode: Decode<V>) =>
  (row: Row): V =>
    decode(Object.values(row)[0]);

function isEmpty(value: QueryParameter): boolean {
  return isList(value) && value.length === 0;
}

function isList(value: QueryParameter): value is readonly (bigint | string)[] {
  return Array.isArray(value);
}

/** A column: its name, its decoder (decode.ts), and its encoder if the value cannot be bound as it is. */
type Column<V> = readonly [
  name: string,
  decode: (value: SqlValue | undefined) => V,
  encode?: (value: V) => Parameter,
];

/** The column of each member of `T`. */
export type Columns<T> = { readonly [M in keyof T]-?: Column<T[M]> };

/** The statements of a table that stores objects `T` by their keys. */
export interface Table<T, Key> {
  find(db: Queryable, key: Key): Promise<T | undefined>;
  /** Returns the stored objects that a condition selects; it may end with an order and a limit. */
  list(db: Queryable, condition: Sql): Promise<T[]>;
  /** Returns the page of the objects that a condition selects, newest first: their keys are ids that grow with time. */
  page(db: Queryable, condition: Sql, request: PageRequest): Promise<Page<T>>;
  /** Returns the stored objects among `keys`, by key. */
  findAmong(db: Queryable, keys: readonly Key[]): Promise<Map<Key, T>>;
  /** Stores an object. Throws AlreadyExists if its key is taken. */
  insert(tx: Tx, object: T): Promise<void>;
  insertAll(tx: Tx, objects: readonly T[]): Promise<void>;
  /** Gives caches an object that the transaction stores (`Tx.stored`). Its key must be an id. */
  giveToCaches(tx: Tx, object: T): void;
  /** Decodes what was given to caches. Returns undefined if a column is missing: other builds have other columns. */
  decodeGiven(row: Row): T | undefined;
  /** Stores an object. Returns false and changes nothing if its key is taken. */
  insertNew(tx: Tx, object: T): Promise<boolean>;
  /** Returns a function that overwrites these members. It returns false if there is no such object. */
  updater<M extends keyof T>(
    ...members: readonly M[]
  ): (tx: Tx, key: Key, object: Pick<T, M>) => Promise<boolean>;
  /** Returns a function that overwrites all members but the key and `kept`. It returns false if there is no object. */
  overwriter(...kept: readonly (keyof T)[]): (tx: Tx, key: Key, object: T) => Promise<boolean>;
}

/**
 * Defines a table by its columns, which are written once for all statements. `key` is the member with the key. Objects have
 * `slots` besides, for what their readers keep with them (blank.ts).
 */
export function defineTable<T, Key extends bigint | string>(
  table: string,
  key: keyof T,
  columns: Columns<T>,
  slots: readonly symbol[] = [],
): Table<T, Key> {
  const members = Object.keys(columns) as (keyof T)[];
  const names = members.map((member) => columns[member][0]);
  const [keyName, decodeKey] = columns[key];
  const select = `SELECT ${names.join(', ')} FROM ${table} WHERE ${keyName}`;
  const [one, several] = [statement(`${select} = ?`), statement(`${select} IN ?`)];
  const into = `INSERT INTO ${table} (${names.join(', ')})`;
  const insertMany = insertRows(into, names.length);
  const insertNew = statement(`${into} VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`);
  const { decode, encode } = codecOf(columns, slots);
  const encodeAll = (object: T): Parameter[] => encode(object, members);
  const allColumns = rawSql(names.join(', '));
  const blankRow = blankOf(names);
  const updater = <M extends keyof T>(...changed: readonly M[]) => {
    const values = changed.map((member) => `${columns[member][0]} = ?`).join(', ');
    const update = statement(`UPDATE ${table} SET ${values} WHERE ${keyName} = ?`);
    return (tx: Tx, value: Key, object: Pick<T, M>): Promise<boolean> =>
      tx.runOne(update(...encode(object, changed), value));
  };
  const list = async (db: Queryable, condition: Sql): Promise<T[]> => {
    const rows = await db.all(sql`SELECT ${allColumns} FROM ${rawSql(table)} WHERE ${condition}`);
    return rows.map(decode);
  };
  return {
    find: async (db, value) => {
      const row = await db.get(one(value));
      return row && decode(row);
    },
    list,
    page: async (db, condition, request) => {
      const { above, upTo } = keysOf(request);
      const [id, order] = [rawSql(keyName), rawSql(isBackward(request) ? 'ASC' : 'DESC')];
      const inRange = sql`${condition} AND ${id} > ${above} AND ${id} <= ${upTo}`;
      const found = await list(db, sql`${inRange} ORDER BY ${id} ${order} LIMIT ${request.limit + 1}`);
      return pageOf(found, request, (object) => object[key] as bigint);
    },
    findAmong: async (db, values) => {
      if (values.length === 0) return new Map();
      const rows = await db.all(values.length === 1 ? one(values[0]) : several(new SqlList(values)));
      return new Map(rows.map((row) => [decodeKey(row[keyName]) as unknown as Key, decode(row)]));
    },
    insert: (tx, object) => insertMany(tx, [encodeAll(object)]),
    insertAll: (tx, objects) => insertMany(tx, objects.map(encodeAll)),
    giveToCaches: (tx, object) => {
      const values = encodeAll(object).map(toParameter);
      const row: Record<string, SqlValue> = { ...blankRow };
      for (const [index, name] of names.entries()) row[name] = values[index] as SqlValue;
      tx.stored(table, object[key] as bigint, row);
    },
    decodeGiven: (row) => (names.every((name) => name in row) ? decode(row) : undefined),
    insertNew: (tx, object) => tx.runOne(insertNew(...encodeAll(object))),
    updater,
    overwriter: (...kept) => updater(...members.filter((member) => member !== key && !kept.includes(member))),
  };
}

/** Creates the lookup of an object by its key unless it has expired. */
export function findUnexpired<T extends { readonly expiresAtMs: number }, Key>({ find }: Table<T, Key>) {
  return async (db: Queryable, key: Key, nowMs: number): Promise<T | undefined> => {
    const found = await find(db, key);
    return found && found.expiresAtMs > nowMs ? found : undefined;
  };
}

/** Creates the functions that convert between objects and values. */
function codecOf<T>(columns: Columns<T>, slots: readonly symbol[]) {
  const fields = (Object.keys(columns) as (keyof T)[]).map((member) => {
    const [name, decode] = columns[member];
    return { member, name, decode };
  });
  const empty = Object.fromEntries(slots.map((slot) => [slot, undefined]));
  const blank = { ...blankOf(Object.keys(columns)), ...empty };
  return {
    decode: (row: Row): T => {
      const object = { ...blank } as object as Partial<T>;
      for (const { member, name, decode } of fields) object[member] = decode(row[name]);
      return object as T;
    },
    encode: <M extends keyof T>(object: Pick<T, M>, wanted: readonly M[]): Parameter[] =>
      wanted.map((member) => {
        const encode = columns[member][2];
        return encode ? encode(object[member]) : (object[member] as Parameter);
      }),
  };
}

/**
 * Creates the deletion of the rows with a value in one column, from each table in turn. It returns false if there were
 * none.
 */
export function deleteBy<Value extends bigint | string>(column: string, ...tables: readonly string[]) {
  const statements = tables.map((table) => statement(`DELETE FROM ${table} WHERE ${column} = ?`));
  return async (tx: Tx, value: Value): Promise<boolean> => {
    let deleted = 0;
    for (const remove of statements) deleted += await tx.run(remove(value));
    return deleted > 0;
  };
}

/** The values of a new row, in the order of the columns. */
type NewRow = readonly Parameter[];

type InsertRows = (tx: Tx, rows: readonly NewRow[]) => Promise<void>;

/**
 * Rows per statement: up to 8 rows take one. Few sizes keep the number of prepared statements small and within the
 * parameter limit of every engine.
 */
const SIZES = [256, 32, 8, 7, 6, 5, 4, 3, 2, 1] as const;

/**
 * Creates a bulk INSERT. Multi-row statements avoid most of the cost per row and, on a server, a round trip each.
 * `before` is the text before the values, `after` the text behind them; both are constants of the code.
 */
export function insertRows(before: string, columns: number, after = ''): InsertRows {
  const texts = SIZES.map((size) => ({ size, strings: partsOf(before, { columns, size }, after) }));
  return async (tx, rows) => {
    let at = 0;
    for (const { size, strings } of texts) {
      for (; rows.length - at >= size; at += size) {
        await tx.run(new Sql(strings, valuesOf(rows, at, at + size)));
      }
    }
  };
}

/** Returns the parameters of some rows. Optimized for speed: imports pass every stored value through here. */
function valuesOf(rows: readonly NewRow[], from: number, to: number): (SqlValue | SqlList)[] {
  const values: (SqlValue | SqlList)[] = [];
  for (let at = from; at < to; at += 1) for (const value of rows[at] ?? []) values.push(toParameter(value));
  return values;
}

/** Returns the parts of a statement, frozen like a template literal: engines cache statements by identity. */
function partsOf(
  before: string,
  { columns, size }: { readonly columns: number; readonly size: number },
  after: string,
): readonly string[] {
  const isFirstOfRow = (index: number): boolean => index % columns === 0;
  const between = Array.from({ length: columns * size - 1 }, (_unused, index) =>
    isFirstOfRow(index + 1) ? '), (' : ', ',
  );
  return Object.freeze([`${before} VALUES (`, ...between, `) ${after}`]);
}

/** Returns the first column of a query's rows. */
export async function readValues<V>(db: Queryable, decode: Decode<V>, query: Sql): Promise<V[]> {
  return (await db.all(query)).map(onlyColumn(decode));
}
