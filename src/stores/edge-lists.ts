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

/** What a list may have beside its request. */
interface ListOptions {
  /** The keys among which the whole list is. */
  readonly window?: KeyRange;
  /** See `Cursor`. */
  readonly extra?: readonly bigint[];
}

/** One page of what is at the other ends of somebody's edges. */
export type ListEdges<Owner extends bigint | string, T extends bigint> = (
  db: Queryable,
  owner: Owner,
  request: PageRequest,
  options?: ListOptions,
) => Promise<Page<T>>;

/**
 * The list of one table of edges by its owner, newest first: `other` names the column with the ids, `key` the one that
 * orders them. An index on owner and key makes each page cost the same, however long the list.
 */
export function edgeList<Owner extends bigint | string, T extends bigint>(
  table: string,
  owner: string,
  other: string,
  key = 'edge_id',
): ListEdges<Owner, T> {
  // Frozen, so that engines know the statements by identity (database/sql.ts).
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
