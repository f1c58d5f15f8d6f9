import type { UserId } from '../core/ids.js';
import { blockedAmong, blockersAmong, insertBlock } from '../storage/blocks.js';
import {
  deleteFollow,
  deleteFollowRequest,
  followedAmong,
  insertFollow,
  insertFollowRequest,
} from '../storage/follows.js';
import { insertMute } from '../storage/mutes.js';
import { incrementUserCount, decrementUserCount } from '../storage/users.js';
import type { Check, Load } from './pass.js';
import { bool, listOf, objectOf, optional, required } from './readers.js';
import { username, type WorldUser } from './users.js';

const relation = objectOf({ from: required(username), to: required(username) });
export const readRelations = listOf(relation);
export type WorldRelation = NonNullable<ReturnType<typeof relation>>;

const follow = objectOf({
  from: required(username),
  to: required(username),
  pending: optional(bool),
});
export const readFollows = listOf(follow);
export type WorldFollow = NonNullable<ReturnType<typeof follow>>;

/** Both users exist and are two. */
export async function checkRelations(
  entries: readonly WorldRelation[],
  { known, faults }: Check,
): Promise<void> {
  await known.requireUsers(
    entries.flatMap(({ from, to, path }) => [
      { name: from, path: `${path}.from` },
      { name: to, path: `${path}.to` },
    ]),
    faults,
  );
  for (const { from, to, path } of entries) {
    if (from.toLowerCase() === to.toLowerCase()) faults.add(`${path}.to`, `is @${from}, as from is`);
  }
}

/** The rules of relations, and: only protected accounts are asked first, and nobody both asks and follows. */
export async function checkFollows(
  entries: readonly WorldFollow[],
  users: readonly WorldUser[],
  check: Check,
): Promise<void> {
  await checkRelations(entries, check);
  const { known, faults } = check;
  const isProtected = await protectedUsers(entries, users, check);
  const first = new Map<string, WorldFollow>();
  for (const entry of entries) {
    const target = known.findUserId(entry.to);
    if (entry.pending && target !== undefined && !isProtected(target))
      faults.add(`${entry.path}.pending`, `@${entry.to} is not protected, so that nobody has to ask`);
    const pair = `${entry.from} ${entry.to}`.toLowerCase();
    const other = first.get(pair);
    if (!other) first.set(pair, entry);
    else if ((other.pending ?? false) !== (entry.pending ?? false))
      faults.add(`${entry.path}.pending`, `differs from ${other.path}, which is about the same two users`);
  }
}

async function protectedUsers(
  entries: readonly WorldFollow[],
  users: readonly WorldUser[],
  { known }: Check,
): Promise<(id: UserId) => boolean> {
  const declared = new Map(users.map((user) => [user.id, user.protected ?? false]));
  const targets = entries.flatMap(({ to, pending }) => (pending ? [known.findUserId(to)] : []));
  await known.loadUsers(targets.filter((id) => id !== undefined));
  return (id) => known.storedUser(id)?.protected ?? declared.get(id) ?? false;
}

/** A block ends follows and requests between the two, as it does through the interface. */
export async function storeBlocks(entries: readonly WorldRelation[], load: Load): Promise<void> {
  for (const entry of entries) {
    const from = load.known.userId(entry.from);
    const to = load.known.userId(entry.to);
    if (!(await insertBlock(load.tx, { from, to, edgeId: load.edgeId() }))) continue;
    load.added('blocks');
    await endFollow(load, from, to);
    await endFollow(load, to, from);
  }
}

async function endFollow({ tx }: Load, from: UserId, to: UserId): Promise<void> {
  await deleteFollowRequest(tx, from, to);
  if (!(await deleteFollow(tx, from, to))) return;
  await decrementUserCount(tx, from, 'following');
  await decrementUserCount(tx, to, 'followers');
}

/** Stores follows and requests, the later ones as the newer; none between users of whom one blocks the other. */
export async function storeFollows(entries: readonly WorldFollow[], load: Load): Promise<void> {
  for (const entry of entries) {
    const from = load.known.userId(entry.from);
    const to = load.known.userId(entry.to);
    if (await isBlockedEitherWay(load, from, to)) continue;
    const stored = entry.pending ? await storeRequest(load, from, to) : await storeFollow(load, from, to);
    if (stored) load.added('follows');
  }
}

async function isBlockedEitherWay({ tx }: Load, one: UserId, other: UserId): Promise<boolean> {
  return (await blockedAmong(tx, one, [other])).size > 0 || (await blockersAmong(tx, one, [other])).size > 0;
}

/** A request that was accepted since the file was loaded first is not asked again. */
async function storeRequest(load: Load, from: UserId, to: UserId): Promise<boolean> {
  if ((await followedAmong(load.tx, from, [to])).size > 0) return false;
  return insertFollowRequest(load.tx, { from, to, edgeId: load.edgeId() });
}

async function storeFollow(load: Load, from: UserId, to: UserId): Promise<boolean> {
  const { tx } = load;
  if (!(await insertFollow(tx, { from, to, edgeId: load.edgeId() }))) return false;
  await deleteFollowRequest(tx, from, to);
  await incrementUserCount(tx, from, 'following');
  await incrementUserCount(tx, to, 'followers');
  return true;
}

export async function storeMutes(entries: readonly WorldRelation[], load: Load): Promise<void> {
  for (const entry of entries) {
    const from = load.known.userId(entry.from);
    const to = load.known.userId(entry.to);
    if (await insertMute(load.tx, { from, to, edgeId: load.edgeId() })) load.added('mutes');
  }
}
