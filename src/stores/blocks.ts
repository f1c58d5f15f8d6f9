import type { UserId } from '../core/ids.js';
import { edgeList } from './edge-lists.js';
import type { Tx } from '../database/engine.js';
import type { UserEdge } from './follows.js';
import { sql } from '../database/sql.js';
import { amongEdges } from './user-edges.js';

/** Blocks `to` and writes both users' tables. Returns false and changes nothing if the block exists. */
export async function insertBlock(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO blocks (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`INSERT INTO blocked_by (user_id, blocker_id) VALUES (${edge.to}, ${edge.from})`);
  return true;
}

/** Deletes a block from both users' tables. Returns false if there was none. */
export async function deleteBlock(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  if ((await tx.run(sql`DELETE FROM blocks WHERE user_id = ${from} AND target_id = ${to}`)) === 0)
    return false;
  await tx.run(sql`DELETE FROM blocked_by WHERE user_id = ${to} AND blocker_id = ${from}`);
  return true;
}

/** Lists the users that the owner blocks, newest first. */
export const listBlocked = edgeList<UserId, UserId>('blocks', 'user_id', 'target_id');

/** Returns the candidates that the user blocks. */
export const blockedAmong = amongEdges('blocks', 'user_id', 'target_id');

/** Returns the candidates that block the user. */
export const blockersAmong = amongEdges('blocked_by', 'user_id', 'blocker_id');
