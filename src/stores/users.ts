import { PROFILE_MEMBERS, type ProfileMembers } from '../core/feed-event.js';
import type { MediaId, PostId, UserId } from '../core/ids.js';
import type { PictureKind } from '../core/profile-picture.js';
import type { AccountStanding, User, UserCounts } from '../core/user.js';
import type { AccountState } from '../core/visibility.js';
import { KEPT } from '../database/blank.js';
import type { Queryable, Tx } from '../database/engine.js';
import { countTable } from './counts.js';
import { addUserWords, deleteUserWords } from './user-words.js';
import {
  asBoolean,
  asId,
  asJson,
  asNumber,
  asOptionalId,
  asOptionalText,
  asText,
  toJson,
  list,
  sql,
} from '../database/sql.js';
import {
  defineTable,
  existsQuery,
  insertRows,
  listQuery,
  valueQuery,
  type Columns,
} from '../database/table.js';

/** The tables of `findUsers` and `findAccountStates`, for caches. */
export const USER_TABLES = ['users'];
export const USER_COUNT_TABLES = ['user_counts'];

const COLUMNS: Columns<User> = {
  id: ['id', asId],
  username: ['username', asText],
  name: ['name', asText],
  createdAtMs: ['created_at', asNumber],
  description: ['description', asText],
  location: ['location', asOptionalText],
  url: ['url', asOptionalText],
  profileImageUrl: ['profile_image_url', asOptionalText],
  profileBannerUrl: ['profile_banner_url', asOptionalText],
  profileImageId: ['profile_image_id', asOptionalId],
  profileBannerId: ['profile_banner_id', asOptionalId],
  protected: ['protected', asBoolean],
  verified: ['verified', asBoolean],
  verifiedType: ['verified_type', asOptionalText],
  subscriptionType: ['subscription_type', asOptionalText],
  pinnedPostId: ['pinned_post_id', asOptionalId],
  allowsPhotoTagging: ['allows_photo_tagging', asBoolean],
  receivesDms: ['receives_dms', asText],
  suspended: ['suspended', asBoolean],
  entities: ['entities', asJson, toJson],
  withheld: ['withheld', asJson, toJson],
};

const USERS = defineTable<User, UserId>('users', 'id', COLUMNS, [KEPT]);

export const findUser = USERS.find;

/** Returns the stored users among `ids`, by id, including suspended ones. */
export const findUsers = USERS.findAmong;

/** Overwrites a stored user's profile, except id, username, password, suspension, subscription and uploaded pictures. */
export const updateProfile = withWords(
  USERS.overwriter('username', 'suspended', 'subscriptionType', 'profileImageId', 'profileBannerId'),
);

const overwriteEditable = withWords(USERS.updater('name', 'description', 'location', 'url', 'entities'));

/** Updates the fields that a user can edit. Returns false if there is no such user. */
export async function changeProfile(
  tx: Tx,
  id: UserId,
  profile: Parameters<typeof overwriteEditable>[2],
): Promise<boolean> {
  const user = await findUser(tx, id);
  if (!user || !(await overwriteEditable(tx, id, profile))) return false;
  emitProfileChange(tx, user, { ...user, ...profile });
  return true;
}

const overwritePicture = {
  picture: USERS.updater('profileImageUrl', 'profileImageId'),
  banner: USERS.updater('profileBannerUrl', 'profileBannerId'),
};

/** Sets the picture or the banner of a user, or removes it; the caller attaches and detaches the media. */
export async function setPicture(
  tx: Tx,
  user: User,
  kind: PictureKind,
  picture: { readonly id?: MediaId; readonly url?: string },
): Promise<void> {
  const { id, url } = picture;
  const after =
    kind === 'picture'
      ? { ...user, profileImageUrl: url, profileImageId: id }
      : { ...user, profileBannerUrl: url, profileBannerId: id };
  await overwritePicture[kind](tx, user.id, after);
  emitProfileChange(tx, user, after);
}

/** Emits the members that differ; nothing if there are none. */
function emitProfileChange(tx: Tx, before: User, after: User): void {
  const changed = PROFILE_MEMBERS.filter((member) => before[member] !== after[member]);
  if (changed.length === 0) return;
  const members = (user: User): ProfileMembers =>
    Object.fromEntries(changed.map((member) => [member, user[member]]));
  tx.emit({ kind: 'profile-changed', userId: before.id, before: members(before), after: members(after) });
}

/** Updates a user's settings for photo tags and direct messages. Returns false if there is no such user. */
export const changeContact = USERS.updater('allowsPhotoTagging', 'receivesDms');

/** Sets a user's subscription; undefined ends it. Returns false if there is no such user. */
export const changeSubscription = USERS.updater('subscriptionType');

/** Returns the fields that the visibility rules need, for the stored users among `ids`. */
export const findAccountStates = defineTable<AccountState & Pick<User, 'id'>, UserId>('users', 'id', {
  id: COLUMNS.id,
  protected: COLUMNS.protected,
  suspended: COLUMNS.suspended,
}).findAmong;

/** The fields of a post's author that search needs. */
export type AuthorState = AccountState & Pick<User, 'id' | 'verified'>;

/** Returns the fields that search needs, for the stored users among `ids`. */
export const findAuthorStates = defineTable<AuthorState, UserId>('users', 'id', {
  id: COLUMNS.id,
  protected: COLUMNS.protected,
  suspended: COLUMNS.suspended,
  verified: COLUMNS.verified,
}).findAmong;

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
export const pageUserIds = listQuery<UserId, [afterId: UserId, limit: number]>(
  asId,
  'SELECT id FROM users WHERE id > ? ORDER BY id LIMIT ?',
);

/** Returns the ids of the newest users, newest first. */
export const listNewestUserIds = listQuery<UserId, [limit: number]>(
  asId,
  'SELECT id FROM users ORDER BY id DESC LIMIT ?',
);

/** Reports whether there are users; none on the first start. */
export const hasUsers = existsQuery<[]>('SELECT 1 FROM users LIMIT 1');

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
  if (!(await USERS.insertNew(tx, user))) return 'id-taken';
  await registerUsers(tx, [user]);
  if (passwordHash !== undefined) await setPasswordHash(tx, user.id, passwordHash);
  return 'inserted';
}

/** Stores users with counts of zero. Their ids and usernames (case-insensitive) must be free and distinct. */
export async function insertUsers(tx: Tx, users: readonly User[]): Promise<void> {
  await USERS.insertAll(tx, users);
  await registerUsers(tx, users);
}

const addUsernames = insertRows('INSERT INTO usernames (username, user_id)', 2);
const addUserCounts = insertRows(
  'INSERT INTO user_counts (user_id, followers, following, posts, listed)',
  5,
  'ON CONFLICT DO NOTHING',
);

async function registerUsers(tx: Tx, users: readonly User[]): Promise<void> {
  await addUserWords(tx, users);
  const names = users.map(({ id, username }) => [username.toLowerCase(), id]);
  await addUsernames(tx, names);
  const counts = users.map(({ id }) => [id, 0, 0, 0, 0]);
  await addUserCounts(tx, counts);
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
  await replaceWords(tx, user.id);
  emitProfileChange(tx, user, { ...user, username });
  return true;
}

/** Returns the same update of a profile that also replaces the words by which the user is found. */
function withWords<P>(update: (tx: Tx, id: UserId, profile: P) => Promise<boolean>): typeof update {
  return async (tx, id, profile) => {
    const isChanged = await update(tx, id, profile);
    if (isChanged) await replaceWords(tx, id);
    return isChanged;
  };
}

async function replaceWords(tx: Tx, id: UserId): Promise<void> {
  const user = await findUser(tx, id);
  await deleteUserWords(tx, id);
  if (user) await addUserWords(tx, [user]);
}

/** Hides or shows an account, whose standing has changed. */
export async function setStanding(
  tx: Tx,
  id: UserId,
  standing: AccountStanding,
  before?: AccountStanding,
): Promise<void> {
  await tx.run(sql`UPDATE users SET suspended = ${standing !== 'active'} WHERE id = ${id}`);
  tx.emit({ kind: 'account-standing', userId: id, standing, before });
}

/** Protects an account, or ends its protection. The account must be in the other state: the event says that it changed. */
export async function setProtected(tx: Tx, id: UserId, isProtected: boolean): Promise<void> {
  await tx.run(sql`UPDATE users SET protected = ${isProtected} WHERE id = ${id}`);
  tx.emit({ kind: isProtected ? 'account-protected' : 'account-unprotected', userId: id });
}

/** Pins a post to its author's profile, or unpins it. */
export const setPinnedPost = USERS.updater('pinnedPostId');

/** Pins the new version of a post that is pinned to its author's profile. */
export async function replacePinnedPost(tx: Tx, userId: UserId, oldId: PostId, newId: PostId): Promise<void> {
  await tx.run(sql`
    UPDATE users SET pinned_post_id = ${newId} WHERE id = ${userId} AND pinned_post_id = ${oldId}`);
}

/** Unpins a deleted post from its author's profile. */
export async function clearPinnedPost(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`
    UPDATE users SET pinned_post_id = NULL WHERE id = ${userId} AND pinned_post_id = ${postId}`);
}

const COUNTS = countTable<UserId, UserCounts>('user_counts', 'user_id', {
  followers: asNumber,
  following: asNumber,
  posts: asNumber,
  listed: asNumber,
});

export const findUserCounts = COUNTS.findAmong;
export const putUserCounts = COUNTS.put;
export const incrementUserCount = COUNTS.increment;
export const decrementUserCount = COUNTS.decrement;

/** Deletes an account's row, username and counts. The caller deletes the user's content. */
export async function deleteUser(tx: Tx, user: User): Promise<void> {
  await tx.run(sql`DELETE FROM users WHERE id = ${user.id}`);
  await tx.run(sql`DELETE FROM usernames WHERE username = ${user.username.toLowerCase()}`);
  await tx.run(sql`DELETE FROM user_counts WHERE user_id = ${user.id}`);
  await deleteUserWords(tx, user.id);
}

/** Returns the hash of a user's password, or undefined for a user without one, who cannot sign in. */
export const findPasswordHash = valueQuery<string | undefined, [userId: UserId]>(
  asOptionalText,
  'SELECT password_hash FROM users WHERE id = ?',
);

/** Sets a user's password. Returns false if there is no such user. */
export function setPasswordHash(tx: Tx, userId: UserId, passwordHash: string): Promise<boolean> {
  return tx.runOne(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`);
}

/**
 * Returns up to `limit` users whose username starts with `prefix` (case-insensitive), ordered by username, after the
 * username `after` (empty to start).
 */
export async function searchUserIds(
  db: Queryable,
  prefix: string,
  after: string,
  limit: number,
): Promise<UserId[]> {
  const pattern = `${prefix.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
  const rows = await db.all(sql`
    SELECT user_id FROM usernames WHERE username LIKE ${pattern} ESCAPE '!' AND username > ${after.toLowerCase()}
    ORDER BY username LIMIT ${limit}`);
  return rows.map((row) => asId<UserId>(row.user_id));
}
