import type { EdgeId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';

import { sql } from '../database/sql.js';
import { amongEdges, edgeList, edgeWriter } from './edges.js';
import { readIds } from '../database/decode.js';

const FOLLOWS = edgeWriter<UserId, UserId, [EdgeId]>(
  ['follows', 'user_id', 'target_id', 'edge_id'],
  ['followers', 'follower_id', 'user_id', 'edge_id'],
);

export const insertFollow = FOLLOWS.insert;
export const deleteFollow = FOLLOWS.delete;

/** Requests to follow protected accounts. */
const REQUESTS = edgeWriter<UserId, UserId, [EdgeId]>(['follow_requests', 'user_id', 'target_id', 'edge_id']);

export const insertFollowRequest = REQUESTS.insert;
export const deleteFollowRequest = REQUESTS.delete;

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
export function listFollowersAfter(
  db: Queryable,
  userId: UserId,
  after: UserId | undefined,
  limit: number,
): Promise<UserId[]> {
  return readIds(
    db,
    sql`
    SELECT follower_id AS id FROM followers WHERE user_id = ${userId} AND follower_id > ${after ?? -1n}
    ORDER BY follower_id LIMIT ${limit}`,
  );
}

/** Returns all users that the user follows, in no order. */
export function listFollowedAll(db: Queryable, userId: UserId): Promise<UserId[]> {
  return readIds(db, sql`SELECT target_id AS id FROM follows WHERE user_id = ${userId}`);
}

/**
 * Returns the users whose follow requests the user has not answered, oldest first: all of them, or the first
 * `limit`.
 */
export function listRequesters(
  db: Queryable,
  userId: UserId,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<UserId[]> {
  return readIds(
    db,
    sql`
    SELECT user_id AS id FROM follow_requests WHERE target_id = ${userId} ORDER BY edge_id LIMIT ${limit}`,
  );
}

/** Deletes the follow requests that the user sent or received. */
export async function deleteRequestsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM follow_requests WHERE target_id = ${userId} OR user_id = ${userId}`);
}
