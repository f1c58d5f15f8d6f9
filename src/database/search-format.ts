import { asNumber } from './decode.js';
import type { Queryable } from './queryable.js';
import { sql } from './sql.js';

/**
 * The format of the documents that this build puts into the search index. Raise it whenever the document of a stored post
 * changes, with a migration that sets `search_format` and puts the posts concerned into `search_pending`.
 */
export const SEARCH_FORMAT = 2;

/** What the search index of a database looks like. */
export interface SearchFormat {
  readonly version: number;
  /** Posts that the index has yet to look at, new ones among them. */
  readonly pending: number;
}

/** Returns the format that the migrations have brought the index to. */
export async function findSearchFormat(db: Queryable): Promise<SearchFormat> {
  const row = await db.get(sql`
    SELECT version, (SELECT COUNT(*) FROM search_pending) AS pending FROM search_format WHERE id = 1`);
  return { version: asNumber(row?.version), pending: asNumber(row?.pending) };
}
