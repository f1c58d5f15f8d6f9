import type { EdgeId, UserId } from '../../core/ids.js';
import { MAX_LIST_MEMBERS, type List, type ListSettings } from '../../core/list.js';
import type { Tx } from '../../storage/engine.js';
import { deleteListFollow, insertListFollow, listFollowedListsOf } from '../../storage/list-followers.js';
import { deleteListMember, insertListMember, listMembershipsOf } from '../../storage/list-members.js';
import {
  addMemberBelow,
  addToListCount,
  addToMembersListed,
  deleteList,
  findList,
  lockList,
  updateList,
} from '../../storage/lists.js';
import { decrementUserCount, incrementUserCount } from '../../storage/users.js';
import { tooMany } from './list-rules.js';

/**
 * How Lists come to change: one function for each change, whoever asks for it, with the counts that follow from it.
 * Rules are the callers'. Callers hold `lockList` and, where users are added, `lockUsers` of the List's owner and the
 * user, which blocks hold as well. `listed` of a user counts public Lists alone, as others may know of no other.
 */

/** The user is a member from now on; false when that is so already. Throws PipitError 'forbidden' for a full List. */
export async function startMembership(tx: Tx, list: List, userId: UserId, edgeId: EdgeId): Promise<boolean> {
  if (!(await insertListMember(tx, { listId: list.id, userId, edgeId }))) return false;
  if (!(await addMemberBelow(tx, list.id, MAX_LIST_MEMBERS))) throw tooMany(MAX_LIST_MEMBERS, 'add');
  if (!list.private) await incrementUserCount(tx, userId, 'listed');
  return true;
}

/** The user is no member any more; false when that is so already. */
export async function endMembership(tx: Tx, list: List, userId: UserId): Promise<boolean> {
  if (!(await deleteListMember(tx, list.id, userId))) return false;
  await addToListCount(tx, list.id, 'members', -1);
  if (!list.private) await decrementUserCount(tx, userId, 'listed');
  return true;
}

/** The user follows the List from now on; false when that is so already. */
export async function startFollowingList(
  tx: Tx,
  list: List,
  userId: UserId,
  edgeId: EdgeId,
): Promise<boolean> {
  if (!(await insertListFollow(tx, { listId: list.id, userId, edgeId }))) return false;
  await addToListCount(tx, list.id, 'followers', 1);
  return true;
}

/** The user does not follow the List any more; false when that is so already. */
export async function endFollowingList(tx: Tx, listId: List['id'], userId: UserId): Promise<boolean> {
  if (!(await deleteListFollow(tx, listId, userId))) return false;
  await addToListCount(tx, listId, 'followers', -1);
  return true;
}

/** Gives a List other settings. */
export async function changeSettings(tx: Tx, list: List, settings: ListSettings): Promise<void> {
  await updateList(tx, list.id, settings);
  if (settings.private !== list.private) await addToMembersListed(tx, list.id, settings.private ? -1 : 1);
}

/** Removes a List with its memberships, follows and pins (reference/behaviours.md 7). */
export async function removeList(tx: Tx, list: List): Promise<void> {
  if (!list.private) await addToMembersListed(tx, list.id, -1);
  await deleteList(tx, list);
}

/**
 * Takes two users out of each other's Lists, as members and as followers: one blocks the other now
 * (reference/behaviours.md 5).
 */
export async function endListTies(tx: Tx, one: UserId, other: UserId): Promise<void> {
  for (const [userId, ownerId] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const listId of await listMembershipsOf(tx, userId, ownerId)) {
      await lockList(tx, listId);
      const list = await findList(tx, listId);
      if (list) await endMembership(tx, list, userId);
    }
    for (const listId of await listFollowedListsOf(tx, userId, ownerId)) {
      await lockList(tx, listId);
      await endFollowingList(tx, listId, userId);
    }
  }
}
