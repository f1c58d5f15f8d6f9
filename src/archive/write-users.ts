import type { UserId } from '../core/ids.js';
import type { User, UserCounts } from '../core/user.js';
import type { Tx } from '../database/engine.js';
import { putImportedObjects, type ImportedObject } from '../stores/import-rows.js';
import { findImportedObjects } from '../stores/imports.js';
import {
  findUserCounts,
  findUserIds,
  findUsers,
  insertUser,
  insertUsers,
  putUserCounts,
  updateProfile,
} from '../stores/users.js';
import type { Batch } from './batch.js';
import { combineUsers, isSame, type UserSighting } from './sighting.js';
import type { Tally } from './tally.js';
import { createUsernameClaims, type UsernameClaims } from './username-claims.js';
import { hasPosts } from '../stores/account-removal.js';

/** Reindexes all posts of a stored user whose protection or verification changed. */
export type IndexAuthor = (tx: Tx, userId: UserId) => Promise<void>;

/** Stores new users and updates imported ones; accounts created here stay unchanged. */
export async function writeUsers(
  tx: Tx,
  sightings: Batch['users'],
  tally: Tally,
  indexAuthor?: IndexAuthor,
): Promise<void> {
  const known = await findKnown(tx, [...sightings.keys()]);
  const usernames = [...sightings.values()].map(({ user }) => user.username);
  const imported = new Map<bigint, ImportedObject>();
  const holders = await findUserIds(tx, usernames);
  const claims = createUsernameClaims(tx, holders, imported);
  const writing: Writing = { tx, claims, imported, counts: new Map(), indexAuthor };
  const plain = withUniqueUsernames(sightings, known, holders);
  await insertUsers(tx, plain);
  const stored = new Set(plain.map(({ id }) => id));
  for (const [id, sighting] of sightings) {
    const before = known.get(id);
    if (before === 'local') tally.kept += 1;
    else if (before) tally[await updateSighting(writing, before, sighting)] += 1;
    else tally[await insertSighting(writing, sighting, stored.has(id))] += 1;
  }
  await putUserCounts(tx, writing.counts);
  await putImportedObjects(tx, 'user', imported);
}

interface Writing {
  readonly tx: Tx;
  readonly claims: UsernameClaims;
  readonly imported: Map<bigint, ImportedObject>;
  /** Collected, to be written in one statement. */
  readonly counts: Map<UserId, UserCounts>;
  readonly indexAuthor?: IndexAuthor;
}

/** Returns stored users as sightings; 'local' for those that were not imported. */
async function findKnown(tx: Tx, ids: readonly UserId[]): Promise<Map<UserId, UserSighting | 'local'>> {
  const known = new Map<UserId, UserSighting | 'local'>();
  const users = await findUsers(tx, ids);
  if (users.size === 0) return known;
  const imported = await findImportedObjects(tx, 'user', [...users.keys()]);
  const counts = await findUserCounts(tx, [...users.keys()]);
  for (const [id, user] of users) {
    const object = imported.get(id);
    // Every user has a row of counts; the default zeros must not override an older sighting.
    const fetched = object?.isFull ? counts.get(id) : undefined;
    known.set(id, object ? { ...object, user, counts: fetched } : 'local');
  }
  return known;
}

/** Returns the new users whose usernames are free and unique in the batch: almost all of them. */
function withUniqueUsernames(
  sightings: Batch['users'],
  known: ReadonlyMap<UserId, unknown>,
  holders: ReadonlyMap<string, UserId>,
): User[] {
  const wanted = new Map<string, number>();
  for (const { user } of sightings.values()) {
    const key = user.username.toLowerCase();
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  const users = [...sightings.values()].map(({ user }) => user);
  return users.filter(({ id, username }) => {
    const key = username.toLowerCase();
    return !known.has(id) && !holders.has(key) && wanted.get(key) === 1;
  });
}

/** Stores a new user; `isStored` when its row was already inserted because its username was unique. */
async function insertSighting(
  { tx, claims, imported, counts: writtenCounts, indexAuthor }: Writing,
  sighting: UserSighting,
  isStored: boolean,
): Promise<'new'> {
  const { user, counts } = sighting;
  if (!isStored) await insertUser(tx, { ...user, username: await claims.claim(sighting) });
  if ((user.protected || user.verified) && (await hasPosts(tx, user.id))) await indexAuthor?.(tx, user.id);
  if (counts) writtenCounts.set(user.id, counts);
  imported.set(user.id, sighting);
  return 'new';
}

async function updateSighting(
  { tx, claims, imported, counts: writtenCounts, indexAuthor }: Writing,
  before: UserSighting,
  sighting: UserSighting,
): Promise<'updated' | 'unchanged'> {
  const { user: profile, counts, ...after } = combineUsers(before, sighting);
  const { username, suspended, allowsPhotoTagging, receivesDms } = before.user;
  const kept = { username, suspended, allowsPhotoTagging, receivesDms, ...uploadedPictures(before.user) };
  const user: User = { ...profile, ...kept };
  const isRenamed = isSeenAgain(before, sighting) && (await claims.rename(before.user, sighting));
  const hasNewProfile = !isSame(before.user, user);
  const hasNewCounts = counts !== undefined && !isSame(before.counts ?? {}, counts);
  if (hasNewProfile) await updateProfile(tx, user.id, user);
  if (user.protected !== before.user.protected || user.verified !== before.user.verified) {
    await indexAuthor?.(tx, user.id);
  }
  if (hasNewCounts) writtenCounts.set(user.id, counts);
  const isNewer = after.observedAtMs !== before.observedAtMs || after.isFull !== before.isFull;
  if (isNewer) imported.set(user.id, after);
  return isRenamed || hasNewProfile || hasNewCounts ? 'updated' : 'unchanged';
}

/** Returns the pictures that an account has uploaded here, which an archive does not replace. */
function uploadedPictures(user: User): Partial<User> {
  const { profileImageUrl, profileImageId, profileBannerUrl, profileBannerId } = user;
  return {
    ...(profileImageId === undefined ? {} : { profileImageUrl, profileImageId }),
    ...(profileBannerId === undefined ? {} : { profileBannerUrl, profileBannerId }),
  };
}

/** Reports whether a sighting may change the username: it is later, or times are unknown. */
function isSeenAgain(before: UserSighting, sighting: UserSighting): boolean {
  return sighting.observedAtMs > before.observedAtMs || sighting.observedAtMs === 0;
}
