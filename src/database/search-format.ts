import type { Queryable } from './queryable.js';
import { asNumber, sql } from './sql.js';

/**
 * The format of search documents in this build. Raise it when the document of a stored post changes, with a migration
 * that sets `search_format` and adds the affected posts to `search_pending`.
 */
export const SEARCH_FORMAT = 2;

/** The format of a database's search index. */
export interface SearchFormat {
  readonly version: number;
  /** The number of posts to index, including new ones. */
  readonly pending: number;
}

/** Returns the index format that the migrations have established. */
export async function findSearchFormat(db: Queryable): Promise<SearchFormat> {
  const row = await db.get(sql`
    SELECT version, (SELECT COUNT(*) FROM search_pending) AS pending FROM search_format WHERE id = 1`);
  return { version: asNumber(row?.version), pending: asNumber(row?.pending) };
}
