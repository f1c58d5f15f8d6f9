import type { ListId, UserId } from '../core/ids.js';
import type { List, ListCounts, ListSettings } from '../core/list.js';
import { asBoolean, asId, asNumber, asText } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, rawSql, sql } from '../database/sql.js';

const COLUMNS = rawSql('id, owner_id, name, description, is_private, created_at');

function decodeList(row: Row): List {
  return {
    id: asId(row.id),
    ownerId: asId(row.owner_id),
    name: asText(row.name),
    description: asText(row.description),
    private: asBoolean(row.is_private),
    createdAtMs: asNumber(row.created_at),
  };
}

/** Returns the stored List without a visibility check. */
export async function findList(db: Queryable, id: ListId): Promise<List | undefined> {
  return (await findLists(db, [id])).get(id);
}

/** Returns the stored Lists among `ids`, by id, without a visibility check. */
export async function findLists(db: Queryable, ids: readonly ListId[]): Promise<Map<ListId, List>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT ${COLUMNS} FROM lists WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asId<ListId>(row.id), decodeList(row)]));
}

/** Returns the counts of the Lists among `ids`, by id. */
export async function findListCounts(
  db: Queryable,
  ids: readonly ListId[],
): Promise<Map<ListId, ListCounts>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(
    sql`SELECT list_id, members, followers FROM list_counts WHERE list_id IN ${list(ids)}`,
  );
  return new Map(
    rows.map((row) => [
      asId<ListId>(row.list_id),
      { members: asNumber(row.members), followers: asNumber(row.followers) },
    ]),
  );
}

/** Lists the Lists that the user owns, newest first, including private ones. */
export const listOwnedLists = edgeList<UserId, ListId>('owned_lists', 'user_id', 'list_id', 'list_id');

/** Counts the Lists that the user owns. */
export async function countOwnedLists(db: Queryable, userId: UserId): Promise<number> {
  const row = await db.get(sql`SELECT COUNT(*) AS owned FROM owned_lists WHERE user_id = ${userId}`);
  return asNumber(row?.owned);
}

/** Stores a List without members and followers. Returns false and changes nothing if its id is taken. */
export async function insertList(tx: Tx, stored: List): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO lists (${COLUMNS})
    VALUES (${stored.id}, ${stored.ownerId}, ${stored.name}, ${stored.description}, ${stored.private},
      ${stored.createdAtMs})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`INSERT INTO list_counts (list_id, members, followers) VALUES (${stored.id}, 0, 0)`);
  await tx.run(sql`INSERT INTO owned_lists (user_id, list_id) VALUES (${stored.ownerId}, ${stored.id})`);
  return true;
}

export async function updateList(tx: Tx, id: ListId, settings: ListSettings): Promise<void> {
  const { name, description } = settings;
  await tx.run(sql`
    UPDATE lists SET name = ${name}, description = ${description}, is_private = ${settings.private}
    WHERE id = ${id}`);
}

/**
 * Serializes the transactions that add members to a List, change its settings or delete it. Take this lock before
 * `lockUsers`: its holder knows which users to lock. Returns false if there is no such List.
 */
export async function lockAdmission(tx: Tx, id: ListId): Promise<boolean> {
  return (await tx.run(sql`UPDATE lists SET name = name WHERE id = ${id}`)) === 1;
}

/**
 * Serializes the transactions that change the data of a List, as `lockUsers` does for users. Lock users first.
 * Returns false if the List no longer exists.
 */
export async function lockList(tx: Tx, id: ListId): Promise<boolean> {
  return (await tx.run(sql`UPDATE list_counts SET members = members WHERE list_id = ${id}`)) === 1;
}

/** Adds `by`, which may be negative, to a count of a List. */
export async function addToListCount(tx: Tx, id: ListId, count: keyof ListCounts, by: 1 | -1): Promise<void> {
  const column = rawSql(count);
  await tx.run(sql`UPDATE list_counts SET ${column} = ${column} + ${by} WHERE list_id = ${id}`);
}

/** Adds one to a List's member count. Returns false if the count has reached `limit`. */
export async function addMemberBelow(tx: Tx, id: ListId, limit: number): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE list_counts SET members = members + 1 WHERE list_id = ${id} AND members < ${limit}`);
  return changed === 1;
}

/** Adds `by` to the `listed` count of each member of the List. */
export async function addToMembersListed(tx: Tx, id: ListId, by: 1 | -1): Promise<void> {
  await tx.run(sql`
    UPDATE user_counts SET listed = listed + ${by}
    WHERE user_id IN (SELECT user_id FROM list_members WHERE list_id = ${id}) AND listed + ${by} >= 0`);
}

/** Deletes a List with its memberships, follows and pins. The caller updates the counts of its members. */
export async function deleteList(tx: Tx, { id, ownerId }: List): Promise<void> {
  await tx.run(sql`
    DELETE FROM list_memberships WHERE list_id = ${id}
      AND user_id IN (SELECT user_id FROM list_members WHERE list_id = ${id})`);
  await tx.run(sql`DELETE FROM list_members WHERE list_id = ${id}`);
  await tx.run(sql`
    DELETE FROM followed_lists WHERE list_id = ${id}
      AND user_id IN (SELECT user_id FROM list_followers WHERE list_id = ${id})`);
  await tx.run(sql`DELETE FROM list_followers WHERE list_id = ${id}`);
  await tx.run(sql`
    DELETE FROM pinned_lists WHERE list_id = ${id}
      AND user_id IN (SELECT user_id FROM list_pins WHERE list_id = ${id})`);
  await tx.run(sql`DELETE FROM list_pins WHERE list_id = ${id}`);
  await tx.run(sql`DELETE FROM owned_lists WHERE user_id = ${ownerId} AND list_id = ${id}`);
  await tx.run(sql`DELETE FROM list_counts WHERE list_id = ${id}`);
  await tx.run(sql`DELETE FROM lists WHERE id = ${id}`);
}
