import type { UserId } from '../core/ids.js';
import { asId, asNumber } from '../database/decode.js';
import type { Queryable } from '../database/engine.js';
import { list, sql, Sql } from '../database/sql.js';

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

/** How a user stands to others: each set holds those of the candidates of whom it is true. */
export interface Relations {
  readonly follows: ReadonlySet<UserId>;
  readonly mutes: ReadonlySet<UserId>;
  readonly blocks: ReadonlySet<UserId>;
  readonly blockedBy: ReadonlySet<UserId>;
}

/** Everything about how the user stands to the candidates, each of them named once. */
export async function findRelations(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Relations> {
  const found = [new Set<UserId>(), new Set<UserId>(), new Set<UserId>(), new Set<UserId>()] as const;
  const [follows, mutes, blocks, blockedBy] = found;
  if (candidates.length > 0) {
    const ids = list(candidates);
    const rows = await db.all(sql`
      SELECT 0 AS kind, target_id AS other FROM follows WHERE user_id = ${userId} AND target_id IN ${ids}
      UNION ALL SELECT 1, target_id FROM mutes WHERE user_id = ${userId} AND target_id IN ${ids}
      UNION ALL SELECT 2, target_id FROM blocks WHERE user_id = ${userId} AND target_id IN ${ids}
      UNION ALL SELECT 3, blocker_id FROM blocked_by WHERE user_id = ${userId} AND blocker_id IN ${ids}`);
    for (const row of rows) found[asNumber(row.kind) as 0 | 1 | 2 | 3].add(asId<UserId>(row.other));
  }
  return { follows, mutes, blocks, blockedBy };
}
