import type { ListId, UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import type { ListEdge } from './list-members.js';
import { sql } from '../database/sql.js';

/** Pins a List. Returns false and changes nothing if it is pinned. */
export async function insertPinnedList(tx: Tx, edge: ListEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO pinned_lists (user_id, list_id, edge_id)
    VALUES (${edge.userId}, ${edge.listId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`INSERT INTO list_pins (list_id, user_id) VALUES (${edge.listId}, ${edge.userId})`);
  return true;
}

/** Deletes a pin. Does nothing if there is none. */
export async function deletePinnedList(tx: Tx, listId: ListId, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM pinned_lists WHERE user_id = ${userId} AND list_id = ${listId}`);
  await tx.run(sql`DELETE FROM list_pins WHERE list_id = ${listId} AND user_id = ${userId}`);
}

/**
 * Returns all Lists that a user pinned, newest pin first, including private ones: at most `MAX_PINNED_LISTS`
 * (core/list.ts).
 */
export async function listPinnedLists(db: Queryable, userId: UserId): Promise<ListId[]> {
  const rows = await db.all(sql`
    SELECT list_id FROM pinned_lists WHERE user_id = ${userId} ORDER BY edge_id DESC`);
  return rows.map((row) => asId<ListId>(row.list_id));
}
