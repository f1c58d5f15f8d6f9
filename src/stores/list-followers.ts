import type { ListId, UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import type { ListEdge } from './list-members.js';
import { sql } from '../database/sql.js';

/**
 * Makes a user follow a List and writes the lists of both. Returns false and changes nothing if the follow exists.
 */
export async function insertListFollow(tx: Tx, edge: ListEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO list_followers (list_id, user_id, edge_id)
    VALUES (${edge.listId}, ${edge.userId}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO followed_lists (user_id, list_id, edge_id)
    VALUES (${edge.userId}, ${edge.listId}, ${edge.edgeId})`);
  return true;
}

/** Deletes a follow from both lists. Returns false if there was none. */
export async function deleteListFollow(tx: Tx, listId: ListId, userId: UserId): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM list_followers WHERE list_id = ${listId} AND user_id = ${userId}`);
  if (deleted === 0) return false;
  await tx.run(sql`DELETE FROM followed_lists WHERE user_id = ${userId} AND list_id = ${listId}`);
  return true;
}

/** Lists the followers of a List, newest first. */
export const listListFollowers = edgeList<ListId, UserId>('list_followers', 'list_id', 'user_id');

/** Lists the Lists that a user follows, newest follow first, including private ones. */
export const listFollowedLists = edgeList<UserId, ListId>('followed_lists', 'user_id', 'list_id');

/** Returns the Lists of `ownerId` that the user follows. */
export async function listFollowedListsOf(db: Queryable, userId: UserId, ownerId: UserId): Promise<ListId[]> {
  const rows = await db.all(sql`
    SELECT list_id FROM followed_lists WHERE user_id = ${userId}
      AND list_id IN (SELECT list_id FROM owned_lists WHERE user_id = ${ownerId})
    ORDER BY list_id`);
  return rows.map((row) => asId<ListId>(row.list_id));
}
