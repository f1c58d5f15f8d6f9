import type { Queryable, Tx } from '../database/engine.js';
import { insertRows } from '../database/table.js';
import { asId, list, rawSql, sql, statement, type Parameter, type SqlValue } from '../database/sql.js';

/** The counts of objects: one row per object, with columns named like the members of `Counts`. */
export interface CountTable<Id, Counts> {
  /** Returns the counts of the objects among `ids` that have a row, by id. */
  findAmong(db: Queryable, ids: readonly Id[]): Promise<Map<Id, Counts>>;
  /** Overwrites counts with those of an archive. */
  put(tx: Tx, counts: ReadonlyMap<Id, Counts>): Promise<void>;
  /** Adds to counts, from zero for objects without a row. */
  add(tx: Tx, counts: ReadonlyMap<Id, Counts>): Promise<void>;
  /** Adds to a count. Returns false for an object without a row. */
  increment(tx: Tx, id: Id, count: keyof Counts & string, by?: number): Promise<boolean>;
  /** Decrements a count, never below zero: imported counts may be lower than the stored rows. */
  decrement(tx: Tx, id: Id, count: keyof Counts & string): Promise<void>;
}

/** Defines a table of counts by the column of the ids and the decoders of the counts. */
export function countTable<Id extends bigint, Counts extends object>(
  table: string,
  key: string,
  decoders: { readonly [Name in keyof Counts]-?: (value: SqlValue | undefined) => Counts[Name] },
): CountTable<Id, Counts> {
  const names = Object.keys(decoders) as (keyof Counts & string)[];
  const columns = [key, ...names];
  const select = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${key}`;
  const [one, several] = [statement(`${select} = ?`), statement(`${select} IN ?`)];
  const increments = Object.fromEntries(
    names.map((name) => [name, statement(`UPDATE ${table} SET ${name} = ${name} + ? WHERE ${key} = ?`)]),
  ) as Record<keyof Counts & string, ReturnType<typeof statement>>;
  const upsert = (valueOf: (name: string) => string) => {
    const values = names.map((name) => `${name} = ${valueOf(name)}`).join(', ');
    const after = `ON CONFLICT (${key}) DO UPDATE SET ${values}`;
    const insert = insertRows(`INSERT INTO ${table} (${columns.join(', ')})`, columns.length, after);
    return (tx: Tx, counts: ReadonlyMap<Id, Counts>): Promise<void> => {
      const rows = [...counts].map(([id, each]) => [id, ...names.map((name) => each[name] as Parameter)]);
      return insert(tx, rows);
    };
  };
  const decode = (name: keyof Counts & string, value: SqlValue | undefined) => [name, decoders[name](value)];
  return {
    findAmong: async (db, ids) => {
      const [id] = ids;
      if (id === undefined) return new Map();
      const rows = await db.all(ids.length === 1 ? one(id) : several(list(ids)));
      return new Map(
        rows.map((row) => [
          asId<Id>(row[key]),
          Object.fromEntries(names.map((name) => decode(name, row[name]))) as Counts,
        ]),
      );
    },
    put: upsert((name) => `excluded.${name}`),
    add: upsert((name) => `${table}.${name} + COALESCE(excluded.${name}, 0)`),
    increment: (tx, id, count, by = 1) => tx.runOne(increments[count](by, id)),
    decrement: async (tx, id, count) => {
      const column = rawSql(count);
      await tx.run(
        sql`UPDATE ${rawSql(table)} SET ${column} = ${column} - 1 WHERE ${rawSql(key)} = ${id} AND ${column} > 0`,
      );
    },
  };
}
