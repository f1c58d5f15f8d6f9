import type { FeedEvent, UserEdgeKind } from '../core/feed-event.js';
import type { EdgeId, UserId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';

import { asId, list, rawSql, sql, statement, type Parameter, type Sql } from '../database/sql.js';
import { pageQuery, readValues, type PageOptions } from '../database/table.js';

/** A table of edges: its name, the columns of both ends, and further columns. */
type EdgeTable = readonly [table: string, from: string, to: string, ...more: readonly string[]];

/** Writes the edges of one kind. */
interface EdgeWriter<From, To, More extends readonly Parameter[]> {
  /** Stores an edge in every table. Returns false and changes nothing if it exists. */
  insert(tx: Tx, from: From, to: To, ...more: More): Promise<boolean>;
  /** Deletes an edge from every table. Returns false if there was none. */
  delete(tx: Tx, from: From, to: To): Promise<boolean>;
}

/**
 * Creates the writer of the edges that `tables` hold: one table for each end by which they are read. `More` are the
 * values of further columns, such as the edge id that orders lists by time; a table may omit them.
 */
export function edgeWriter<
  From extends bigint | string,
  To extends bigint,
  More extends readonly Parameter[] = [],
>(...tables: readonly EdgeTable[]): EdgeWriter<From, To, More> {
  const statements = tables.map(([table, ...columns], index) => ({
    width: columns.length,
    insert: statement(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ${index === 0 ? 'ON CONFLICT DO NOTHING' : ''}`,
    ),
    remove: statement(`DELETE FROM ${table} WHERE ${columns[0]} = ? AND ${columns[1]} = ?`),
  }));
  /** Changes the first table and, if that changed a row, the others. */
  const write = async (tx: Tx, queries: readonly Sql[]): Promise<boolean> => {
    const [first, ...others] = queries;
    if (!first || (await tx.run(first)) === 0) return false;
    for (const query of others) await tx.run(query);
    return true;
  };
  return {
    insert: (tx, ...values) =>
      write(
        tx,
        statements.map(({ insert, width }) => insert(...values.slice(0, width))),
      ),
    delete: (tx, from, to) =>
      write(
        tx,
        statements.map(({ remove }) => remove(from, to)),
      ),
  };
}

/** Returns the writer with the events that its changes are. */
export function withEvents<From, To, More extends readonly Parameter[]>(
  { insert, delete: remove }: EdgeWriter<From, To, More>,
  made: (from: From, to: To, ...more: More) => FeedEvent,
  undone: (from: From, to: To) => FeedEvent,
): EdgeWriter<From, To, More> {
  return {
    insert: async (tx, from, to, ...more) => {
      const isNew = await insert(tx, from, to, ...more);
      if (isNew) tx.emit(made(from, to, ...more));
      return isNew;
    },
    delete: async (tx, from, to) => {
      const wasThere = await remove(tx, from, to);
      if (wasThere) tx.emit(undone(from, to));
      return wasThere;
    },
  };
}

/** Creates the writer of the edges from one user to another; `made` and `undone` are the kinds of their events. */
export function userEdgeWriter(
  made: UserEdgeKind,
  undone: UserEdgeKind,
  ...tables: readonly EdgeTable[]
): EdgeWriter<UserId, UserId, [EdgeId]> {
  return withEvents<UserId, UserId, [EdgeId]>(
    edgeWriter(...tables),
    (userId, targetId) => ({ kind: made, userId, targetId }),
    (userId, targetId) => ({ kind: undone, userId, targetId }),
  );
}

/**
 * Deletes all edges of `owner` from `table`, in which they are found, and from `mirror`. Both have the columns `own`
 * and `other`.
 */
export async function deleteEdgesOf(
  tx: Tx,
  owner: bigint,
  table: string,
  mirror: string,
  { own, other }: { readonly own: string; readonly other: string },
): Promise<void> {
  const [source, ownIs, id] = [rawSql(table), sql`${rawSql(own)} = ${owner}`, rawSql(other)];
  await tx.run(sql`
    DELETE FROM ${rawSql(mirror)} WHERE ${ownIs} AND ${id} IN (SELECT ${id} FROM ${source} WHERE ${ownIs})`);
  await tx.run(sql`DELETE FROM ${source} WHERE ${ownIs}`);
}

/** Returns the `candidates` at the other end of a user's edges. */
export type AmongEdges<T, Own = T> = (db: Queryable, own: Own, candidates: readonly T[]) => Promise<Set<T>>;

/** Creates the lookup for one table: rows whose column `own` is the user and whose column `other` is a candidate. */
export function amongEdges<T extends bigint, Own extends bigint = T>(
  table: string,
  own: string,
  other: string,
): AmongEdges<T, Own> {
  const select = `SELECT ${other} AS id FROM ${table} WHERE ${own} = ? AND ${other}`;
  const [one, several] = [statement(`${select} = ?`), statement(`${select} IN ?`)];
  return async (db, ownId, candidates) => {
    if (candidates.length === 0) return new Set();
    const others = candidates.length === 1 ? one(ownId, candidates[0]) : several(ownId, list(candidates));
    return new Set(await readValues(db, asId<T>, others));
  };
}

/** Reads one page of the ids that an owner's edges point to. */
export type ListEdges<Owner extends bigint | string, T extends bigint> = (
  db: Queryable,
  owner: Owner,
  request: PageRequest,
  options?: PageOptions,
) => Promise<Page<T>>;

/**
 * Returns a reader that pages through the edges of an owner, newest first. `other` is the column of the returned ids
 * and `key` the one that orders them.
 */
export function edgeList<Owner extends bigint | string, T extends bigint>(
  table: string,
  owner: string,
  other: string,
  key = 'edge_id',
): ListEdges<Owner, T> {
  const select = `SELECT ${key}, ${other} AS id FROM ${table} WHERE ${owner} = ?`;
  const read = pageQuery<T, [Owner]>(select, key, (row) => asId<T>(row.id), 'edges');
  return (db, ownerId, request, options) => read(db, [ownerId], request, options);
}
