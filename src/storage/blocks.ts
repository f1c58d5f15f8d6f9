import type { UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import type { UserEdge } from './follows.js';
import { list, sql } from './sql.js';

/** Blocks `to`, in both users' tables; false, changing nothing, when that is so already. */
export async function insertBlock(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO blocks (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`INSERT INTO blocked_by (user_id, blocker_id) VALUES (${edge.to}, ${edge.from})`);
  return true;
}

/** Those of `candidates` whom `userId` blocks. */
export async function blockedAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT target_id FROM blocks WHERE user_id = ${userId} AND target_id IN ${list(candidates)}`);
  return new Set(rows.map((row) => asId<UserId>(row.target_id)));
}

/** Those of `candidates` who block `userId`. */
export async function blockersAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT blocker_id FROM blocked_by WHERE user_id = ${userId} AND blocker_id IN ${list(candidates)}`);
  return new Set(rows.map((row) => asId<UserId>(row.blocker_id)));
}
