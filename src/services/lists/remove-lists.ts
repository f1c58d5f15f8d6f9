import type { UserId } from '../../core/ids.js';
import type { Engine, Tx } from '../../database/engine.js';
import {
  deletePinnedList,
  listFollowedLists,
  listMemberships,
  listPinnedLists,
} from '../../stores/list-users.js';
import { findList, findLists, listOwnedLists, lockAdmission } from '../../stores/lists.js';
import { lockUsers } from '../../stores/user-locks.js';
import { endFollowingList, endMembership, lockLists, lockWithMembers, removeList } from './list-changes.js';

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
