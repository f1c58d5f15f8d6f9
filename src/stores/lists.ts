import type { ListId, UserId } from '../core/ids.js';
import type { List, ListCounts } from '../core/list.js';
import type { Tx } from '../database/engine.js';
import { asBoolean, asId, asNumber, asText, rawSql, sql } from '../database/sql.js';
import { defineTable, countQuery, rowChange } from '../database/table.js';
import { countTable } from './counts.js';
import { edgeList } from './edges.js';
import { deleteListUsers } from './list-users.js';

const LISTS = defineTable<List, ListId>('lists', 'id', {
  id: ['id', asId],
  ownerId: ['owner_id', asId],
  name: ['name', asText],
  description: ['description', asText],
  private: ['is_private', asBoolean],
  createdAtMs: ['created_at', asNumber],
});

/** Returns the stored List without a visibility check. */
export const findList = LISTS.find;

/** Returns the stored Lists among `ids`, by id, without a visibility check. */
export const findLists = LISTS.findAmong;

/** Returns the counts of the Lists among `ids`, by id. */
export const findListCounts = countTable<ListId, ListCounts>('list_counts', 'list_id', {
  members: asNumber,
  followers: asNumber,
}).findAmong;

/** Lists the Lists that the user owns, newest first, including private ones. */
export const listOwnedLists = edgeList<UserId, ListId>('owned_lists', 'user_id', 'list_id', 'list_id');

/** Counts the Lists that the user owns. */
export const countOwnedLists = countQuery<[userId: UserId]>('owned_lists WHERE user_id = ?');

/** Stores a List without members and followers. Returns false and changes nothing if its id is taken. */
export async function insertList(tx: Tx, stored: List): Promise<boolean> {
  if (!(await LISTS.insertNew(tx, stored))) return false;
  await tx.run(sql`INSERT INTO list_counts (list_id, members, followers) VALUES (${stored.id}, 0, 0)`);
  await tx.run(sql`INSERT INTO owned_lists (user_id, list_id) VALUES (${stored.ownerId}, ${stored.id})`);
  return true;
}

export const updateList = LISTS.updater('name', 'description', 'private');

/**
 * Serializes the transactions that add members to a List, change its settings or delete it. Take this lock before
 * `lockUsers`: its holder knows which users to lock. Returns false if there is no such List.
 */
export const lockAdmission = rowChange<[id: ListId]>('UPDATE lists SET name = name WHERE id = ?');

/**
 * Serializes the transactions that change the data of a List, as `lockUsers` does for users. Lock users first.
 * Returns false if the List no longer exists.
 */
export const lockList = rowChange<[id: ListId]>('UPDATE list_counts SET members = members WHERE list_id = ?');

/** Adds `by`, which may be negative, to a count of a List. */
export async function addToListCount(tx: Tx, id: ListId, count: keyof ListCounts, by: 1 | -1): Promise<void> {
  const column = rawSql(count);
  await tx.run(sql`UPDATE list_counts SET ${column} = ${column} + ${by} WHERE list_id = ${id}`);
}

/** Adds one to a List's member count. Returns false if the count has reached `limit`. */
export const addMemberBelow = rowChange<[id: ListId, limit: number]>(
  'UPDATE list_counts SET members = members + 1 WHERE list_id = ? AND members < ?',
);

/** Adds `by` to the `listed` count of each member of the List. */
export async function addToMembersListed(tx: Tx, id: ListId, by: 1 | -1): Promise<void> {
  await tx.run(sql`
    UPDATE user_counts SET listed = listed + ${by}
    WHERE user_id IN (SELECT user_id FROM list_members WHERE list_id = ${id}) AND listed + ${by} >= 0`);
}

/** Deletes a List with its memberships, follows and pins. The caller updates the counts of its members. */
export async function deleteList(tx: Tx, { id, ownerId }: List): Promise<void> {
  await deleteListUsers(tx, id);
  await tx.run(sql`DELETE FROM owned_lists WHERE user_id = ${ownerId} AND list_id = ${id}`);
  await tx.run(sql`DELETE FROM list_counts WHERE list_id = ${id}`);
  await tx.run(sql`DELETE FROM lists WHERE id = ${id}`);
}
