import type { PostId, UserId } from '../core/ids.js';
import type { ReceivesDms, User, UserCounts, VerifiedType } from '../core/user.js';
import type { AccountState } from '../core/visibility.js';
import {
  asBoolean,
  asId,
  asJson,
  asNumber,
  asOptionalId,
  asOptionalText,
  asText,
  toJson,
} from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { insertRows } from '../database/many-rows.js';
import { list, rawSql, sql } from '../database/sql.js';

/** The tables of `findUsers` and `findAccountStates`, for caches. */
export const USER_TABLES = ['users'];

const COLUMNS =
  rawSql(`id, username, name, created_at, description, location, url, profile_image_url, protected,
  verified, verified_type, pinned_post_id, allows_photo_tagging, receives_dms, suspended, entities, withheld`);

function decodeUser(row: Row): User {
  return {
    id: asId(row.id),
    username: asText(row.username),
    name: asText(row.name),
    createdAtMs: asNumber(row.created_at),
    description: asText(row.description),
    location: asOptionalText(row.location),
    url: asOptionalText(row.url),
    profileImageUrl: asOptionalText(row.profile_image_url),
    protected: asBoolean(row.protected),
    verified: asBoolean(row.verified),
    verifiedType: asOptionalText(row.verified_type) as VerifiedType | undefined,
    pinnedPostId: asOptionalId(row.pinned_post_id),
    allowsPhotoTagging: asBoolean(row.allows_photo_tagging),
    receivesDms: asText(row.receives_dms) as ReceivesDms,
    suspended: asBoolean(row.suspended),
    entities: asJson(row.entities),
    withheld: asJson(row.withheld),
  };
}

export async function findUser(db: Queryable, id: UserId): Promise<User | undefined> {
  const row = await db.get(sql`SELECT ${COLUMNS} FROM users WHERE id = ${id}`);
  return row && decodeUser(row);
}

/** Returns the stored users among `ids`, by id, including suspended ones. */
export async function findUsers(db: Queryable, ids: readonly UserId[]): Promise<Map<UserId, User>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT ${COLUMNS} FROM users WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asId<UserId>(row.id), decodeUser(row)]));
}

/** Returns the fields that the visibility rules need, for the stored users among `ids`. */
export async function findAccountStates(
  db: Queryable,
  ids: readonly UserId[],
): Promise<Map<UserId, AccountState>> {
  if (ids.length === 0) return new Map();
  const rows =
    ids.length === 1
      ? await db.all(sql`SELECT id, protected, suspended FROM users WHERE id = ${ids[0]}`)
      : await db.all(sql`SELECT id, protected, suspended FROM users WHERE id IN ${list(ids)}`);
  return new Map(
    rows.map((row) => [
      asId<UserId>(row.id),
      { protected: asBoolean(row.protected), suspended: asBoolean(row.suspended) },
    ]),
  );
}

/** The fields of a post's author that search needs. */
export type AuthorState = AccountState & Pick<User, 'verified'>;

/** Returns the fields that search needs, for the stored users among `ids`. */
export async function findAuthorStates(
  db: Queryable,
  ids: readonly UserId[],
): Promise<Map<UserId, AuthorState>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(
    sql`SELECT id, protected, suspended, verified FROM users WHERE id IN ${list(ids)}`,
  );
  return new Map(
    rows.map((row) => [
      asId<UserId>(row.id),
      {
        protected: asBoolean(row.protected),
        suspended: asBoolean(row.suspended),
        verified: asBoolean(row.verified),
      },
    ]),
  );
}

/** Returns the ids of existing usernames (case-insensitive), keyed by lower-case username. */
export async function findUserIds(db: Queryable, usernames: readonly string[]): Promise<Map<string, UserId>> {
  if (usernames.length === 0) return new Map();
  const keys = usernames.map((username) => username.toLowerCase());
  const rows = await db.all(sql`SELECT username, user_id FROM usernames WHERE username IN ${list(keys)}`);
  return new Map(rows.map((row) => [asText(row.username), asId<UserId>(row.user_id)]));
}

/** Returns the user with this username (case-insensitive). */
export async function findUserByUsername(db: Queryable, username: string): Promise<User | undefined> {
  const id = (await findUserIds(db, [username])).get(username.toLowerCase());
  return id === undefined ? undefined : findUser(db, id);
}

/** Returns up to `limit` user ids above `afterId` (0 to start), in order. */
export async function pageUserIds(db: Queryable, afterId: UserId, limit: number): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT id FROM users WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`);
  return rows.map((row) => asId<UserId>(row.id));
}

/** Reports whether there are no users, as on the first start. */
export async function hasNoUsers(db: Queryable): Promise<boolean> {
  return (await db.get(sql`SELECT 1 AS found FROM users LIMIT 1`)) === undefined;
}

/**
 * Stores a user with counts of zero. 'id-taken' and 'username-taken' change nothing. Usernames are unique regardless
 * of case.
 */
export async function insertUser(
  tx: Tx,
  user: User,
  passwordHash?: string,
): Promise<'inserted' | 'id-taken' | 'username-taken'> {
  const holder = (await findUserIds(tx, [user.username])).get(user.username.toLowerCase());
  if (holder !== undefined) return holder === user.id ? 'id-taken' : 'username-taken';
  const inserted = await tx.run(sql`
    INSERT INTO users (${COLUMNS}, password_hash)
    VALUES (${user.id}, ${user.username}, ${user.name}, ${user.createdAtMs}, ${user.description}, ${user.location},
      ${user.url}, ${user.profileImageUrl}, ${user.protected}, ${user.verified}, ${user.verifiedType},
      ${user.pinnedPostId}, ${user.allowsPhotoTagging}, ${user.receivesDms}, ${user.suspended},
      ${toJson(user.entities)}, ${toJson(user.withheld)}, ${passwordHash})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return 'id-taken';
  await tx.run(sql`
    INSERT INTO usernames (username, user_id) VALUES (${user.username.toLowerCase()}, ${user.id})`);
  await tx.run(sql`
    INSERT INTO user_counts (user_id, followers, following, posts, listed) VALUES (${user.id}, 0, 0, 0, 0)
    ON CONFLICT DO NOTHING`);
  return 'inserted';
}

/** Overwrites a stored user's profile, except id, username, password and suspension. */
export async function updateProfile(tx: Tx, user: User): Promise<void> {
  await tx.run(sql`
    UPDATE users SET name = ${user.name}, created_at = ${user.createdAtMs}, description = ${user.description},
      location = ${user.location}, url = ${user.url}, profile_image_url = ${user.profileImageUrl},
      protected = ${user.protected}, verified = ${user.verified}, verified_type = ${user.verifiedType},
      pinned_post_id = ${user.pinnedPostId}, allows_photo_tagging = ${user.allowsPhotoTagging},
      receives_dms = ${user.receivesDms}, entities = ${toJson(user.entities)}, withheld = ${toJson(user.withheld)}
    WHERE id = ${user.id}`);
}

/** Renames a user. Returns false if another user has the username. */
export async function renameUser(tx: Tx, user: User, username: string): Promise<boolean> {
  const key = username.toLowerCase();
  if (key !== user.username.toLowerCase()) {
    const claimed = await tx.run(sql`
      INSERT INTO usernames (username, user_id) VALUES (${key}, ${user.id}) ON CONFLICT DO NOTHING`);
    if (claimed === 0) return false;
    await tx.run(sql`DELETE FROM usernames WHERE username = ${user.username.toLowerCase()}`);
  }
  await tx.run(sql`UPDATE users SET username = ${username} WHERE id = ${user.id}`);
  return true;
}

/** Suspends or restores an account. Returns false if it does not exist. */
export async function setSuspended(tx: Tx, id: UserId, suspended: boolean): Promise<boolean> {
  return (await tx.run(sql`UPDATE users SET suspended = ${suspended} WHERE id = ${id}`)) === 1;
}

/** Sets whether an account is protected. Returns false if it does not exist. */
export async function setProtected(tx: Tx, id: UserId, isProtected: boolean): Promise<boolean> {
  return (await tx.run(sql`UPDATE users SET protected = ${isProtected} WHERE id = ${id}`)) === 1;
}

/** Unpins a deleted post from its author's profile. */
export async function clearPinnedPost(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`
    UPDATE users SET pinned_post_id = NULL WHERE id = ${userId} AND pinned_post_id = ${postId}`);
}

/** Returns the counts of the users among `ids`, by id. */
export async function findUserCounts(
  db: Queryable,
  ids: readonly UserId[],
): Promise<Map<UserId, UserCounts>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT * FROM user_counts WHERE user_id IN ${list(ids)}`);
  return new Map(
    rows.map((row) => [
      asId<UserId>(row.user_id),
      {
        followers: asNumber(row.followers),
        following: asNumber(row.following),
        posts: asNumber(row.posts),
        listed: asNumber(row.listed),
      },
    ]),
  );
}

/** Overwrites users' counts with those of an archive. */
export async function putUserCounts(tx: Tx, counts: ReadonlyMap<UserId, UserCounts>): Promise<void> {
  await overwriteCounts(
    tx,
    [...counts].map(([id, { followers, following, posts, listed }]) => [
      id,
      followers,
      following,
      posts,
      listed,
    ]),
  );
}

const overwriteCounts = insertRows(
  'INSERT INTO user_counts (user_id, followers, following, posts, listed)',
  5,
  `ON CONFLICT (user_id) DO UPDATE SET followers = excluded.followers, following = excluded.following,
    posts = excluded.posts, listed = excluded.listed`,
);

/** Increments a count of a user. Returns false if there is no such user. */
export async function incrementUserCount(tx: Tx, id: UserId, count: keyof UserCounts): Promise<boolean> {
  const column = rawSql(count);
  return (await tx.run(sql`UPDATE user_counts SET ${column} = ${column} + 1 WHERE user_id = ${id}`)) === 1;
}

/** Decrements a count of a user, never below zero. */
export async function decrementUserCount(tx: Tx, id: UserId, count: keyof UserCounts): Promise<void> {
  const column = rawSql(count);
  await tx.run(sql`UPDATE user_counts SET ${column} = ${column} - 1 WHERE user_id = ${id} AND ${column} > 0`);
}

/** Deletes an account's row, username and counts. The caller deletes the user's content. */
export async function deleteUser(tx: Tx, user: User): Promise<void> {
  await tx.run(sql`DELETE FROM users WHERE id = ${user.id}`);
  await tx.run(sql`DELETE FROM usernames WHERE username = ${user.username.toLowerCase()}`);
  await tx.run(sql`DELETE FROM user_counts WHERE user_id = ${user.id}`);
}
