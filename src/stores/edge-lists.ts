import {
  isBackward,
  keysOf,
  mapPage,
  pageOf,
  type KeyRange,
  type Page,
  type PageRequest,
} from '../core/page.js';
import { asId } from '../database/decode.js';
import type { Queryable } from '../database/engine.js';
import { Sql } from '../database/sql.js';

/** Optional parameters of an edge list. */
interface ListOptions {
  /** The key range of the whole list. */
  readonly window?: KeyRange;
  /** See `Cursor`. */
  readonly extra?: readonly bigint[];
}

/** Reads one page of the ids that an owner's edges point to. */
export type ListEdges<Owner extends bigint | string, T extends bigint> = (
  db: Queryable,
  owner: Owner,
  request: PageRequest,
  options?: ListOptions,
) => Promise<Page<T>>;

/**
 * Returns a reader that pages through the edges of an owner, newest first. `other` is the column of the returned ids
 * and `key` the one that orders them. With an index on owner and key every page costs the same.
 */
export function edgeList<Owner extends bigint | string, T extends bigint>(
  table: string,
  owner: string,
  other: string,
  key = 'edge_id',
): ListEdges<Owner, T> {
  // Frozen: engines cache statements by identity (database/sql.ts).
  const statement = (order: 'ASC' | 'DESC'): readonly string[] =>
    Object.freeze([
      `SELECT ${key} AS key, ${other} AS id FROM ${table} WHERE ${owner} = `,
      ` AND ${key} > `,
      ` AND ${key} <= `,
      ` ORDER BY ${key} ${order} LIMIT `,
      '',
    ]);
  const [newestFirst, oldestFirst] = [statement('DESC'), statement('ASC')];
  return async (db, ownerId, request, { window, extra } = {}) => {
    const { above, upTo } = keysOf(request, window);
    const text = isBackward(request) ? oldestFirst : newestFirst;
    const rows = await db.all(new Sql(text, [ownerId, above, upTo, request.limit + 1]));
    const page = pageOf(rows, request, (row) => asId(row.key), extra);
    return mapPage(page, (row) => asId<T>(row.id));
  };
}
