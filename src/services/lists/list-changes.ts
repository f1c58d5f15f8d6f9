import type { EdgeId, ListId, UserId } from '../../core/ids.js';
import { MAX_LIST_MEMBERS } from '../../core/limits.js';
import type { List, ListSettings } from '../../core/list.js';
import type { Engine, Tx } from '../../database/engine.js';
import {
  deleteListFollow,
  deleteListMember,
  deletePinnedList,
  insertListFollow,
  insertListMember,
  listAllMembers,
  listFollowedLists,
  listMemberships,
  listPinnedLists,
  listFollowsIn,
  listMembershipsIn,
} from '../../stores/list-users.js';
import {
  addMemberBelow,
  addToListCount,
  addToMembersListed,
  deleteList,
  findList,
  findLists,
  listOwnedLists,
  lockAdmission,
  lockList,
  updateList,
} from '../../stores/lists.js';
import { lockUsers } from '../../stores/locks.js';
import { decrementUserCount, incrementUserCount } from '../../stores/users.js';
import { tooMany } from './list-rules.js';

/**
 * Changes to Lists with their effects on counts; callers check the rules. Callers must hold `lockList` and, where
 * users are added, `lockUsers` of owner and user, as blocks do. The lock order is `lockAdmission`, users, Lists. The
 * `listed` count of a user includes public Lists only, because private ones are not visible to others.
 */

/** Adds a member; returns false if it already is one. Throws 'forbidden' for a full List. */
export async function startMembership(tx: Tx, list: List, userId: UserId, edgeId: EdgeId): Promise<boolean> {
  if (!(await insertListMember(tx, list.id, userId, edgeId))) return false;
  if (!(await addMemberBelow(tx, list.id, MAX_LIST_MEMBERS))) throw tooMany(MAX_LIST_MEMBERS, 'add');
  if (!list.private) await incrementUserCount(tx, userId, 'listed');
  return true;
}

/** Removes a member; returns false if there is no such member. */
export async function endMembership(tx: Tx, list: List, userId: UserId): Promise<boolean> {
  if (!(await deleteListMember(tx, list.id, userId))) return false;
  await addToListCount(tx, list.id, 'members', -1);
  if (!list.private) await decrementUserCount(tx, userId, 'listed');
  return true;
}

/** Stores a follow of the List; returns false if there already is one. */
export async function startFollowingList(
  tx: Tx,
  list: List,
  userId: UserId,
  edgeId: EdgeId,
): Promise<boolean> {
  if (!(await insertListFollow(tx, list.id, userId, edgeId))) return false;
  await addToListCount(tx, list.id, 'followers', 1);
  return true;
}

/** Removes a follow of the List; returns false if there is none. */
export async function endFollowingList(tx: Tx, { id }: Pick<List, 'id'>, userId: UserId): Promise<boolean> {
  if (!(await deleteListFollow(tx, id, userId))) return false;
  await addToListCount(tx, id, 'followers', -1);
  return true;
}

/**
 * Locks the members and then the List, for changes that update each member's counts. This order prevents deadlocks.
 * Callers must hold `lockAdmission`, so that no members are added in the meantime.
 */
export async function lockWithMembers(tx: Tx, listId: ListId): Promise<void> {
  await lockUsers(tx, await listAllMembers(tx, listId));
  await lockList(tx, listId);
}

/** Updates the settings of a List. Callers must hold `lockWithMembers` when `private` changes. */
export async function changeSettings(tx: Tx, list: List, settings: ListSettings): Promise<void> {
  await updateList(tx, list.id, settings);
  if (settings.private !== list.private) await addToMembersListed(tx, list.id, settings.private ? -1 : 1);
}

/**
 * Deletes a List with its memberships, follows and pins (docs/api/posts.md#deletion). Callers must hold
 * `lockWithMembers`.
 */
export async function removeList(tx: Tx, list: List): Promise<void> {
  if (!list.private) await addToMembersListed(tx, list.id, -1);
  await deleteList(tx, list);
}

/**
 * Removes two users from each other's Lists, as members and followers, when one blocks the other
 * (docs/api/people.md#follows-blocks-and-mutes).
 */
export async function endListTies(tx: Tx, one: UserId, other: UserId): Promise<void> {
  const ties = [...(await tiesOf(tx, one, other)), ...(await tiesOf(tx, other, one))];
  await lockLists(
    tx,
    ties.map(({ listId }) => listId),
  );
  for (const { listId, userId, end } of ties) {
    const list = await findList(tx, listId);
    if (list) await end(tx, list, userId);
  }
}

interface Tie {
  readonly listId: ListId;
  readonly userId: UserId;
  readonly end: typeof endMembership;
}

/** Lists a user's memberships and follows in another user's Lists. */
async function tiesOf(tx: Tx, userId: UserId, ownerId: UserId): Promise<Tie[]> {
  const memberships = await listMembershipsIn(tx, userId, ownerId);
  const follows = await listFollowsIn(tx, userId, ownerId);
  return [
    ...memberships.map((listId) => ({ listId, userId, end: endMembership })),
    ...follows.map((listId) => ({ listId, userId, end: endFollowingList })),
  ];
}

/** Locks several Lists in id order, which prevents deadlocks. */
async function lockLists(tx: Tx, ids: readonly ListId[]): Promise<void> {
  const inOrder = [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  for (const id of inOrder) await lockList(tx, id);
}

/** Upper bound per transaction; deleting one List is a transaction of its own. */
const CHUNK = 200;

/** Removes one chunk; resolves to whether more may remain. */
type Step = (tx: Tx, userId: UserId) => Promise<boolean>;

/** Deletes the Lists of a suspended account, and its memberships, follows and pins in others' Lists. */
export async function removeListsOf(engine: Engine, userId: UserId): Promise<void> {
  for (const step of [removeOwnList, endMemberships, endFollows, endPins]) {
    let hasMore = true;
    while (hasMore) hasMore = await engine.tx('remove lists', (tx) => step(tx, userId), 'read-committed');
  }
}

const removeOwnList: Step = async (tx, userId) => {
  const [id] = (await listOwnedLists(tx, userId, { limit: 1 })).items;
  if (id === undefined) return false;
  await lockAdmission(tx, id);
  await lockWithMembers(tx, id);
  const list = await findList(tx, id);
  if (list) await removeList(tx, list);
  return true;
};

const endMemberships: Step = async (tx, userId) => {
  await lockUsers(tx, [userId]);
  const { items: ids, next } = await listMemberships(tx, userId, { limit: CHUNK });
  await lockLists(tx, ids);
  for (const list of (await findLists(tx, ids)).values()) await endMembership(tx, list, userId);
  return next !== undefined;
};

const endFollows: Step = async (tx, userId) => {
  const { items: ids, next } = await listFollowedLists(tx, userId, { limit: CHUNK });
  await lockLists(tx, ids);
  for (const id of ids) await endFollowingList(tx, { id }, userId);
  return next !== undefined;
};

const endPins: Step = async (tx, userId) => {
  for (const id of await listPinnedLists(tx, userId)) await deletePinnedList(tx, id, userId);
  return false;
};
