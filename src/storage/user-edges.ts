import type { UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable } from './engine.js';
import { list, Sql } from './sql.js';

/** Finds those of `candidates` whom a table of edges between users relates to `userId`. */
export type AmongEdges = (
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
) => Promise<Set<UserId>>;

/**
 * The look-up of one table: rows whose column `own` is the user, and the candidates that their column `other` names.
 * The statements are made once and frozen, so that engines know them by identity.
 */
export function amongEdges(table: string, own: string, other: string): AmongEdges {
  const start = `SELECT ${other} AS other FROM ${table} WHERE ${own} = `;
  const one = Object.freeze([start, ` AND ${other} = `, '']);
  const many = Object.freeze([start, ` AND ${other} IN `, '']);
  return async (db, userId, candidates) => {
    const [first, ...rest] = candidates;
    if (first === undefined) return new Set();
    const query =
      rest.length === 0 ? new Sql(one, [userId, first]) : new Sql(many, [userId, list(candidates)]);
    return new Set((await db.all(query)).map((row) => asId<UserId>(row.other)));
  };
}
