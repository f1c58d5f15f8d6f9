import type { UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';

import { asId, sql } from '../database/sql.js';
import { deleteEmptyOfUser } from './notifications.js';
import { amongEdges, edgeList, userEdgeWriter } from './edges.js';
import { listQuery } from '../database/table.js';

const FOLLOWS = userEdgeWriter(
  'follow-made',
  'follow-undone',
  ['follows', 'user_id', 'target_id', 'edge_id'],
  ['followers', 'follower_id', 'user_id', 'edge_id'],
);

export const insertFollow = FOLLOWS.insert;

/** Deletes a follow, and its notification with the last of its follows. Returns false if there is none. */
export async function deleteFollow(tx: Tx, userId: UserId, targetId: UserId): Promise<boolean> {
  if (!(await FOLLOWS.delete(tx, userId, targetId))) return false;
  await deleteEmptyOfUser(tx, 'follow', targetId);
  return true;
}

/** Requests to follow protected accounts. */
const REQUESTS = userEdgeWriter('follow-requested', 'follow-request-ended', [
  'follow_requests',
  'user_id',
  'target_id',
  'edge_id',
]);

export const insertFollowRequest = REQUESTS.insert;

/** Deletes a follow request with its notification. Returns false if there is none. */
export async function deleteFollowRequest(tx: Tx, userId: UserId, targetId: UserId): Promise<boolean> {
  if (!(await REQUESTS.delete(tx, userId, targetId))) return false;
  await deleteEmptyOfUser(tx, 'follow_request', targetId);
  return true;
}

/** Lists the followers of the owner, newest first. */
export const listFollowers = edgeList<UserId, UserId>('followers', 'user_id', 'follower_id');

/** Lists the users that the owner follows, newest first. */
export const listFollowed = edgeList<UserId, UserId>('follows', 'user_id', 'target_id');

/** Returns the candidates that the user follows. */
export const followedAmong = amongEdges<UserId>('follows', 'user_id', 'target_id');

/** Returns the candidates that follow the user. */
export const followersAmong = amongEdges<UserId>('followers', 'user_id', 'follower_id');

/** Returns the candidates with a pending follow request from the user. */
export const requestedAmong = amongEdges<UserId>('follow_requests', 'user_id', 'target_id');

/** Returns the candidates whose follow requests the user has not answered. */
export const requestersAmong = amongEdges<UserId>('follow_requests', 'target_id', 'user_id');

/** Returns up to `limit` followers of the user with ids above `after`, ordered by id. */
export function listFollowersAfter(db: Queryable, userId: UserId, after: UserId | undefined, limit: number) {
  return listFollowersAbove(db, userId, after ?? -1n, limit);
}

const listFollowersAbove = listQuery<UserId, [userId: UserId, above: bigint, limit: number]>(
  asId,
  'SELECT follower_id FROM followers WHERE user_id = ? AND follower_id > ? ORDER BY follower_id LIMIT ?',
);

/** Returns all users that the user follows, in no order. */
export const listFollowedAll = listQuery<UserId, [userId: UserId]>(
  asId,
  'SELECT target_id FROM follows WHERE user_id = ?',
);

/** Lists the users whose follow requests the user has not answered, newest first. */
export const listFollowRequests = edgeList<UserId, UserId>('follow_requests', 'target_id', 'user_id');

/** Returns up to `limit` users whose follow requests the user has not answered, oldest first. */
export const listRequesters = listQuery<UserId, [userId: UserId, limit: number]>(
  asId,
  'SELECT user_id FROM follow_requests WHERE target_id = ? ORDER BY edge_id LIMIT ?',
);

const listRequested = listQuery<UserId, [userId: UserId]>(
  asId,
  'SELECT target_id FROM follow_requests WHERE user_id = ?',
);

/** Deletes the follow requests that the user sent or received, and the notifications of those sent. */
export async function deleteRequestsOf(tx: Tx, userId: UserId): Promise<void> {
  const targetIds = await listRequested(tx, userId);
  await tx.run(sql`DELETE FROM follow_requests WHERE target_id = ${userId} OR user_id = ${userId}`);
  for (const targetId of targetIds) await deleteEmptyOfUser(tx, 'follow_request', targetId);
}
