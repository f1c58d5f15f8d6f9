import type { EdgeId, ListId, UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** A user in a List, as a member or as a follower; the edge id orders both lists by time. */
export interface ListEdge {
  readonly listId: ListId;
  readonly userId: UserId;
  readonly edgeId: EdgeId;
}

/** Adds a member and writes the lists of both. Returns false and changes nothing if the user is a member. */
export async function insertListMember(tx: Tx, edge: ListEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO list_members (list_id, user_id, edge_id) VALUES (${edge.listId}, ${edge.userId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO list_memberships (user_id, list_id, edge_id)
    VALUES (${edge.userId}, ${edge.listId}, ${edge.edgeId})`);
  return true;
}

/** Deletes a membership from both lists. Returns false if there was none. */
export async function deleteListMember(tx: Tx, listId: ListId, userId: UserId): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM list_members WHERE list_id = ${listId} AND user_id = ${userId}`);
  if (deleted === 0) return false;
  await tx.run(sql`DELETE FROM list_memberships WHERE user_id = ${userId} AND list_id = ${listId}`);
  return true;
}

/** Lists the members of a List, last added first. */
export const listListMembers = edgeList<ListId, UserId>('list_members', 'list_id', 'user_id');

/** Lists the Lists that a user is a member of, newest membership first, including private ones. */
export const listMemberships = edgeList<UserId, ListId>('list_memberships', 'user_id', 'list_id');

/** Returns all members of a List in no order: at most `MAX_LIST_MEMBERS` (core/list.ts). */
export async function listAllMembers(db: Queryable, listId: ListId): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT user_id FROM list_members WHERE list_id = ${listId}`);
  return rows.map((row) => asId<UserId>(row.user_id));
}

/** Returns the Lists of `ownerId` that the user is a member of. */
export async function listMembershipsOf(db: Queryable, userId: UserId, ownerId: UserId): Promise<ListId[]> {
  const rows = await db.all(sql`
    SELECT list_id FROM list_memberships WHERE user_id = ${userId}
      AND list_id IN (SELECT list_id FROM owned_lists WHERE user_id = ${ownerId})
    ORDER BY list_id`);
  return rows.map((row) => asId<ListId>(row.list_id));
}
