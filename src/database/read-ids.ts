import { asId } from './decode.js';
import type { Queryable } from './engine.js';
import type { Sql } from './sql.js';

/** Returns the column `id` of a query's rows. */
export async function readIds<T extends bigint>(db: Queryable, query: Sql): Promise<T[]> {
  return (await db.all(query)).map((row) => asId<T>(row.id));
}
