import type { Queryable, Row, Tx } from './engine.js';
import { insertRows } from './many-rows.js';
import { list, rawSql, sql, statement, type Parameter, type Sql, type SqlValue } from './sql.js';

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
  /** Returns the stored objects among `keys`, by key. */
  findAmong(db: Queryable, keys: readonly Key[]): Promise<Map<Key, T>>;
  /** Stores an object. Throws AlreadyExists if its key is taken. */
  insert(tx: Tx, object: T): Promise<void>;
  insertAll(tx: Tx, objects: readonly T[]): Promise<void>;
  /** Stores an object. Returns false and changes nothing if its key is taken. */
  insertNew(tx: Tx, object: T): Promise<boolean>;
  /** Returns a function that overwrites these members. It returns false if there is no such object. */
  updater<M extends keyof T>(
    ...members: readonly M[]
  ): (tx: Tx, key: Key, object: Pick<T, M>) => Promise<boolean>;
  /** Returns a function that overwrites all members but the key and `kept`. It returns false if there is no object. */
  overwriter(...kept: readonly (keyof T)[]): (tx: Tx, key: Key, object: T) => Promise<boolean>;
}

/** Defines a table by its columns, which are written once for all statements. `key` is the member with the key. */
export function defineTable<T, Key extends bigint | string>(
  table: string,
  key: keyof T,
  columns: Columns<T>,
): Table<T, Key> {
  const members = Object.keys(columns) as (keyof T)[];
  const names = members.map((member) => columns[member][0]);
  const [keyName, decodeKey] = columns[key];
  const select = `SELECT ${names.join(', ')} FROM ${table} WHERE ${keyName}`;
  const [one, several] = [statement(`${select} = ?`), statement(`${select} IN ?`)];
  const into = `INSERT INTO ${table} (${names.join(', ')})`;
  const insertMany = insertRows(into, names.length);
  const insertNew = statement(`${into} VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`);
  const { decode, encode } = codecOf(columns);
  const allColumns = rawSql(names.join(', '));
  const updater = <M extends keyof T>(...changed: readonly M[]) => {
    const values = changed.map((member) => `${columns[member][0]} = ?`).join(', ');
    const update = statement(`UPDATE ${table} SET ${values} WHERE ${keyName} = ?`);
    return async (tx: Tx, value: Key, object: Pick<T, M>): Promise<boolean> =>
      (await tx.run(update(...encode(object, changed), value))) === 1;
  };
  return {
    find: async (db, value) => {
      const row = await db.get(one(value));
      return row && decode(row);
    },
    list: async (db, condition) => {
      const rows = await db.all(sql`SELECT ${allColumns} FROM ${rawSql(table)} WHERE ${condition}`);
      return rows.map(decode);
    },
    findAmong: async (db, values) => {
      if (values.length === 0) return new Map();
      const rows = await db.all(values.length === 1 ? one(values[0]) : several(list(values)));
      return new Map(rows.map((row) => [decodeKey(row[keyName]) as unknown as Key, decode(row)]));
    },
    insert: (tx, object) => insertMany(tx, [encode(object, members)]),
    insertAll: (tx, objects) =>
      insertMany(
        tx,
        objects.map((object) => encode(object, members)),
      ),
    insertNew: async (tx, object) => (await tx.run(insertNew(...encode(object, members)))) === 1,
    updater,
    overwriter: (...kept) => updater(...members.filter((member) => member !== key && !kept.includes(member))),
  };
}

/** Creates the functions that convert between objects and values. */
function codecOf<T>(columns: Columns<T>) {
  const fields = (Object.keys(columns) as (keyof T)[]).map((member) => {
    const [name, decode] = columns[member];
    return { member, name, decode };
  });
  return {
    decode: (row: Row): T => {
      const object: Partial<T> = {};
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
