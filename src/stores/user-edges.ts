import { IdSet, type Ids } from '../core/maps.js';
import type { UserId } from '../core/ids.js';
import type { Queryable, Row } from '../database/engine.js';
import { asId, asNumber, list, sql, sqlIn } from '../database/sql.js';

/** A user's relations to others: each set holds the candidates for which the relation exists. */
export interface Relations {
  readonly follows: IdSet<UserId>;
  readonly mutes: Ids<UserId>;
  readonly blocks: Ids<UserId>;
  readonly blockedBy: Ids<UserId>;
}

/** Returns all relations of the user to the candidates, which must be distinct. */
export async function findRelations(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Relations> {
  if (candidates.length === 0) return decodeRelations([]);
  const ids = list(candidates);
  const rows = await db.all(sql`
    SELECT 0 AS kind, target_id AS other FROM follows WHERE user_id = ${userId} AND target_id IN ${ids}
    UNION ALL SELECT 1, target_id FROM mutes WHERE user_id = ${userId} AND target_id IN ${ids}
    UNION ALL SELECT 2, target_id FROM blocks WHERE user_id = ${userId} AND target_id IN ${ids}
    UNION ALL SELECT 3, blocker_id FROM blocked_by WHERE user_id = ${userId} AND blocker_id IN ${ids}`);
  return decodeRelations(rows);
}

/** Returns all relations of the user, or undefined if there are more than `max`. */
export async function findAllRelations(
  db: Queryable,
  userId: UserId,
  max: number,
): Promise<Relations | undefined> {
  const rows = await db.all(sqlIn('relations')`
    SELECT 0 AS kind, target_id AS other FROM follows WHERE user_id = ${userId}
    UNION ALL SELECT 1, target_id FROM mutes WHERE user_id = ${userId}
    UNION ALL SELECT 2, target_id FROM blocks WHERE user_id = ${userId}
    UNION ALL SELECT 3, blocker_id FROM blocked_by WHERE user_id = ${userId}
    LIMIT ${max + 1}`);
  return rows.length > max ? undefined : decodeRelations(rows);
}

function decodeRelations(rows: readonly Row[]): Relations {
  const found = [new IdSet<UserId>(), new IdSet<UserId>(), new IdSet<UserId>(), new IdSet<UserId>()] as const;
  for (const row of rows) found[asNumber(row.kind) as 0 | 1 | 2 | 3].add(asId<UserId>(row.other));
  const [follows, mutes, blocks, blockedBy] = found;
  return { follows, mutes, blocks, blockedBy };
}
