import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import type { Sql } from './sql.js';

/** Runs a statement that changes at most one row. Returns whether it did. */
export async function changesRow(tx: Tx, query: Sql): Promise<boolean> {
  return (await tx.run(query)) === 1;
}

/** Reports whether a query has rows. */
export async function hasRow(db: Queryable, query: Sql): Promise<boolean> {
  return (await db.get(query)) !== undefined;
}

/** Returns the column `id` of a query's rows. */
export async function readIds<T extends bigint>(db: Queryable, query: Sql): Promise<T[]> {
  return (await db.all(query)).map((row) => asId<T>(row.id));
}
