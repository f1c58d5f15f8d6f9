import type { EdgeId, ListId, UserId } from '../../core/ids.js';
import { MAX_LIST_MEMBERS, type List, type ListSettings } from '../../core/list.js';
import type { Tx } from '../../database/engine.js';
import { deleteListFollow, insertListFollow, listFollowedListsOf } from '../../stores/list-followers.js';
import {
  deleteListMember,
  insertListMember,
  listAllMembers,
  listMembershipsOf,
} from '../../stores/list-members.js';
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
 * How Lists come to change: one function for each change, whoever asks for it, with the counts that follow from it.
 * Rules are the callers'. Callers hold `lockList` and, where users are added, `lockUsers` of the List's owner and the
 * user, which blocks hold as well. Locks are taken in one order: `lockAdmission`, users, Lists. `listed` of a user counts public Lists alone, as others may know of no other.
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
export async function endFollowingList(tx: Tx, { id }: Pick<List, 'id'>, userId: UserId): Promise<boolean> {
  if (!(await deleteListFollow(tx, id, userId))) return false;
  await addToListCount(tx, id, 'followers', -1);
  return true;
}

/**
 * Locks a List after its members, for changes that count for each of them: in another order these would wait for
 * somebody who waits for the List. Callers hold `lockAdmission`, so that there is nobody else by then.
 */
export async function lockWithMembers(tx: Tx, listId: ListId): Promise<void> {
  await lockUsers(tx, await listAllMembers(tx, listId));
  await lockList(tx, listId);
}

/** Gives a List other settings; callers hold `lockWithMembers` where these change who sees it. */
export async function changeSettings(tx: Tx, list: List, settings: ListSettings): Promise<void> {
  await updateList(tx, list.id, settings);
  if (settings.private !== list.private) await addToMembersListed(tx, list.id, settings.private ? -1 : 1);
}

/** Under `lockWithMembers`, removes a List with its memberships, follows and pins (docs/api/posts.md#deletion). */
export async function removeList(tx: Tx, list: List): Promise<void> {
  if (!list.private) await addToMembersListed(tx, list.id, -1);
  await deleteList(tx, list);
}

/**
 * Takes two users out of each other's Lists, as members and as followers: one blocks the other now
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

/** What ties a user to another's Lists. */
async function tiesOf(tx: Tx, userId: UserId, ownerId: UserId): Promise<Tie[]> {
  const memberships = await listMembershipsOf(tx, userId, ownerId);
  const follows = await listFollowedListsOf(tx, userId, ownerId);
  return [
    ...memberships.map((listId) => ({ listId, userId, end: endMembership })),
    ...follows.map((listId) => ({ listId, userId, end: endFollowingList })),
  ];
}

/** Locks several Lists in the order of their ids, which keeps two transactions from waiting for each other. */
export async function lockLists(tx: Tx, ids: readonly ListId[]): Promise<void> {
  const inOrder = [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
  for (const id of inOrder) await lockList(tx, id);
}
