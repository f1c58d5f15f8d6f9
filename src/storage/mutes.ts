import type { UserId } from '../core/ids.js';
import { edgeList } from './edge-lists.js';
import type { Tx } from './engine.js';
import type { UserEdge } from './follows.js';
import { sql } from './sql.js';
import { amongEdges } from './user-edges.js';

/** Mutes `to`; false, changing nothing, when that is so already. */
export async function insertMute(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO mutes (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Ends a mute; false when there was none. */
export async function deleteMute(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM mutes WHERE user_id = ${from} AND target_id = ${to}`)) === 1;
}

/** The users whom the owner mutes, newest first. */
export const listMuted = edgeList<UserId, UserId>('mutes', 'user_id', 'target_id');

/** Those of the candidates whom the user mutes. */
export const mutedAmong = amongEdges('mutes', 'user_id', 'target_id');
