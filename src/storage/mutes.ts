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

/** Those of the candidates whom the user mutes. */
export const mutedAmong = amongEdges('mutes', 'user_id', 'target_id');
