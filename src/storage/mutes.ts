import type { UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import type { UserEdge } from './follows.js';
import { list, sql } from './sql.js';

/** Mutes `to`; false, changing nothing, when that is so already. */
export async function insertMute(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO mutes (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Those of `candidates` whom `userId` mutes. */
export async function mutedAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT target_id FROM mutes WHERE user_id = ${userId} AND target_id IN ${list(candidates)}`);
  return new Set(rows.map((row) => asId<UserId>(row.target_id)));
}
