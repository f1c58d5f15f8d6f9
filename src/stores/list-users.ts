import type { EdgeId, ListId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';

import { deleteEdgesOf, edgeList, edgeWriter } from './edges.js';
import { asId } from '../database/sql.js';
import { listQuery } from '../database/table.js';

/** The users of Lists: members, followers, and those who pinned a List. */

const MEMBERS = edgeWriter<ListId, UserId, [EdgeId]>(
  ['list_members', 'list_id', 'user_id', 'edge_id'],
  ['list_memberships', 'list_id', 'user_id', 'edge_id'],
);

export const insertListMember = MEMBERS.insert;
export const deleteListMember = MEMBERS.delete;

/** Lists the members of a List, last added first. */
export const listListMembers = edgeList<ListId, UserId>('list_members', 'list_id', 'user_id');

/** Lists the Lists that a user is a member of, newest membership first, including private ones. */
export const listMemberships = edgeList<UserId, ListId>('list_memberships', 'user_id', 'list_id');

/** Returns all members of a List in no order: at most `MAX_LIST_MEMBERS` (core/list.ts). */
export const listAllMembers = listQuery<UserId, [listId: ListId]>(
  asId,
  'SELECT user_id FROM list_members WHERE list_id = ?',
);

/** Returns those of the Lists that the user is a member of. */
export const findMembershipsAmong = listQuery<ListId, [userId: UserId, listIds: readonly ListId[]]>(
  asId,
  'SELECT list_id FROM list_memberships WHERE user_id = ? AND list_id IN ?',
);

/** Returns those of the Lists that the user follows. */
export const findListFollowsAmong = listQuery<ListId, [userId: UserId, listIds: readonly ListId[]]>(
  asId,
  'SELECT list_id FROM followed_lists WHERE user_id = ? AND list_id IN ?',
);

const FOLLOWERS = edgeWriter<ListId, UserId, [EdgeId]>(
  ['list_followers', 'list_id', 'user_id', 'edge_id'],
  ['followed_lists', 'list_id', 'user_id', 'edge_id'],
);

export const insertListFollow = FOLLOWERS.insert;
export const deleteListFollow = FOLLOWERS.delete;

/** Lists the followers of a List, newest first. */
export const listListFollowers = edgeList<ListId, UserId>('list_followers', 'list_id', 'user_id');

/** Lists the Lists that a user follows, newest follow first, including private ones. */
export const listFollowedLists = edgeList<UserId, ListId>('followed_lists', 'user_id', 'list_id');

/** Returns the Lists of `ownerId` that the user is a member of. */
export const listMembershipsIn = tiesTo('list_memberships');

/** Returns the Lists of `ownerId` that the user follows. */
export const listFollowsIn = tiesTo('followed_lists');

function tiesTo(table: 'list_memberships' | 'followed_lists') {
  const owned = 'SELECT list_id FROM owned_lists WHERE user_id = ?';
  const text = `SELECT list_id FROM ${table} WHERE user_id = ? AND list_id IN (${owned}) ORDER BY list_id`;
  return listQuery<ListId, [userId: UserId, ownerId: UserId]>(asId, text);
}

const PINS = edgeWriter<ListId, UserId, [EdgeId]>(
  ['pinned_lists', 'list_id', 'user_id', 'edge_id'],
  ['list_pins', 'list_id', 'user_id'],
);

export const insertPinnedList = PINS.insert;
export const deletePinnedList = PINS.delete;

/**
 * Returns all Lists that a user pinned, newest pin first, including private ones: at most `MAX_PINNED_LISTS`
 * (core/list.ts).
 */
export const listPinnedLists = listQuery<ListId, [userId: UserId]>(
  asId,
  'SELECT list_id FROM pinned_lists WHERE user_id = ? ORDER BY edge_id DESC',
);

/** Deletes the memberships, follows and pins of a List. */
export async function deleteListUsers(tx: Tx, id: ListId): Promise<void> {
  const columns = { own: 'list_id', other: 'user_id' };
  await deleteEdgesOf(tx, id, 'list_members', 'list_memberships', columns);
  await deleteEdgesOf(tx, id, 'list_followers', 'followed_lists', columns);
  await deleteEdgesOf(tx, id, 'list_pins', 'pinned_lists', columns);
}
