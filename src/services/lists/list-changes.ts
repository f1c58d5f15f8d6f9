import type { EdgeId, ListId, UserId } from '../../core/ids.js';
import { MAX_LIST_MEMBERS } from '../../core/limits.js';
import type { List, ListSettings } from '../../core/list.js';
import type { Tx } from '../../database/engine.js';
import {
  deleteListFollow,
  deleteListMember,
  insertListFollow,
  insertListMember,
  listAllMembers,
  listTiesTo,
} from '../../stores/list-users.js';
import {
  addMemberBelow,
  addToListCount,
  addToMembersListed,
  deleteList,
  findList,
  lockList,
  updateList,
} from '../../stores/lists.js';
import { lockUsers } from '../../stores/user-locks.js';
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
  const memberships = await listTiesTo(tx, userId, ownerId, 'list_memberships');
  const follows = await listTiesTo(tx, userId, ownerId, 'followed_lists');
  return [
    ...memberships.map((listId) => ({ listId, userId, end: endMembership })),
    ...follows.map((listId) => ({ listId, userId, end: endFollowingList })),
  ];
}

/** Locks several Lists in id order, which prevents deadlocks. */
export async function lockLists(tx: Tx, ids: readonly ListId[]): Promise<void> {
  const inOrder = [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  for (const id of inOrder) await lockList(tx, id);
}
