import type { EdgeId, ListId, UserId } from '../core/ids.js';
import { MAX_LIST_DESCRIPTION, MAX_LIST_MEMBERS, MAX_LIST_NAME, MAX_PINNED_LISTS } from '../core/limits.js';
import type { List } from '../core/list.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { startFollowingList, startMembership } from '../services/lists/list-changes.js';
import { findLists, insertList, lockList } from '../stores/lists.js';
import { deletePinnedList, insertPinnedList, listPinnedLists } from '../stores/list-users.js';
import type { WorldFaults } from './faults.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { isBlocked, lockStored } from './relations.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const list = objectOf({
  id: v.required(idOf<ListId>()),
  owner: v.required(username),
  name: v.required(v.text({ min: 1, max: MAX_LIST_NAME })),
  description: v.text({ max: MAX_LIST_DESCRIPTION }),
  private: v.boolean(),
  created_at: worldTime,
  members: valuesOf(username, { max: MAX_LIST_MEMBERS }),
  followers: valuesOf(username),
  pinned_by: valuesOf(username),
  member_ids: valuesOf(idOf<EdgeId>(), { max: MAX_LIST_MEMBERS }),
  follower_ids: valuesOf(idOf<EdgeId>()),
  pin_ids: valuesOf(idOf<EdgeId>()),
});
export const readLists = listOf(list);
export type WorldList = v.ValueOf<typeof list>;

/** The keys of people who see the List; a private List allows only its owner there. */
const VIEWER_KEYS = ['followers', 'pinned_by'] as const;
const USER_KEYS = ['owner', 'members', ...VIEWER_KEYS] as const;

/** Checks that all users exist, that only owners use private Lists, and that a stored List has the same owner. */
export async function checkLists(entries: readonly WorldList[], check: Check): Promise<void> {
  const { known, faults } = check;
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  await known.requireUsers(referencesIn(entries, ...USER_KEYS), faults);
  for (const { name, path } of entries) if (!/\S/.test(name)) faults.add(`${path}.name`, 'is blank');
  for (const { name, path, entry } of referencesIn(entries, ...VIEWER_KEYS)) {
    if (entry.private && name.toLowerCase() !== entry.owner.toLowerCase())
      faults.add(path, `only @${entry.owner} can see this List, which is private`);
  }
  checkEdgeIds(entries, faults);
  await checkOwners(entries, check);
}

/** The keys of people and of the ids of their ties to a List. */
const ID_KEYS = [
  ['members', 'member_ids'],
  ['followers', 'follower_ids'],
  ['pinned_by', 'pin_ids'],
] as const;

/** Checks that each tie has an id of its own, if ties have ids. */
function checkEdgeIds(entries: readonly WorldList[], faults: WorldFaults): void {
  for (const [people, ids] of ID_KEYS) {
    const named = referencesIn(entries, ids).map(({ name, path }) => ({ name, path }));
    const first = new Map<bigint, string>();
    for (const { name, path } of named) {
      const other = first.get(name);
      if (other === undefined) first.set(name, path);
      else faults.add(path, `stands at ${other} already`);
    }
    for (const entry of entries) {
      const count = entry[people]?.length ?? 0;
      if (entry[ids] !== undefined && entry[ids].length !== count)
        faults.add(`${entry.path}.${ids}`, `must have one id for each of ${people}: ${count}`);
    }
  }
}

async function checkOwners(entries: readonly WorldList[], { known, faults }: Check): Promise<void> {
  const stored = await findLists(
    known.db,
    entries.map((entry) => entry.id),
  );
  for (const { id, owner, path } of entries) {
    const ownerId = stored.get(id)?.ownerId;
    if (ownerId !== undefined && ownerId !== known.findUserId(owner))
      faults.add(`${path}.id`, `is a List of user ${ownerId} in the database`);
  }
}

/**
 * Stores the Lists that are not in the database, and their members, followers and pins; later entries are newer.
 * Skips members with a block between them and the owner, and followers and pins of a List that has become private meanwhile.
 */
export async function storeLists(entries: readonly WorldList[], load: Load): Promise<void> {
  const { tx } = load;
  await lockStored(load, referencesIn(entries, ...USER_KEYS));
  const ids = entries.map((entry) => entry.id);
  const stored = await findLists(tx, ids);
  for (const entry of entries) {
    const declared = asList(entry, load);
    const isNew = await insertList(tx, declared);
    if (isNew) load.added('lists');
    await lockList(tx, entry.id);
    const list = stored.get(entry.id) ?? declared;
    await storeEdges(entry, list, load);
    await storePins(entry, list, isNew, load);
  }
}

function asList(entry: WorldList, { known, nowMs }: Load): List {
  return {
    id: entry.id,
    ownerId: known.userId(entry.owner),
    name: entry.name,
    description: entry.description ?? '',
    private: entry.private ?? false,
    createdAtMs: entry.created_at?.at(nowMs) ?? timeOfId(entry.id) ?? nowMs,
  };
}

async function storeEdges(entry: WorldList, stored: List, load: Load): Promise<void> {
  const { tx, known, edgeId } = load;
  for (const [index, name] of (entry.members ?? []).entries()) {
    const userId = known.userId(name);
    if (await isBlocked(load, stored.ownerId, userId)) continue;
    await startMembership(tx, stored, userId, entry.member_ids?.[index] ?? edgeId());
  }
  for (const [index, name] of (entry.followers ?? []).entries()) {
    const userId = known.userId(name);
    if (!maySee(stored, userId) || (await isBlocked(load, stored.ownerId, userId))) continue;
    await startFollowingList(tx, stored, userId, entry.follower_ids?.[index] ?? edgeId());
  }
}

async function storePins(entry: WorldList, stored: List, isNew: boolean, load: Load): Promise<void> {
  const { tx, known, edgeId, faults } = load;
  for (const [index, { name, path }] of referencesIn([entry], 'pinned_by').entries()) {
    const userId = known.userId(name);
    if (!maySee(stored, userId)) continue;
    if (!(await insertPinnedList(tx, stored.id, userId, entry.pin_ids?.[index] ?? edgeId()))) continue;
    if ((await listPinnedLists(tx, userId)).length <= MAX_PINNED_LISTS) continue;
    // The file was valid when it was first loaded; the user has pinned other Lists since.
    if (isNew)
      faults.add(path, `@${name} has pinned ${MAX_PINNED_LISTS} other Lists, and no more is possible`);
    else await deletePinnedList(tx, stored.id, userId);
  }
}

function maySee(stored: List, userId: UserId): boolean {
  return !stored.private || stored.ownerId === userId;
}
