import type { EdgeId, UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';
import { amongEdges } from './user-edges.js';

/** A directed edge between two users; the edge id orders a user's list by time. */
export interface UserEdge {
  readonly from: UserId;
  readonly to: UserId;
  readonly edgeId: EdgeId;
}

/** Makes `from` follow `to` and writes both users' lists. Returns false and changes nothing if the follow exists. */
export async function insertFollow(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO follows (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO followers (user_id, follower_id, edge_id) VALUES (${edge.to}, ${edge.from}, ${edge.edgeId})`);
  return true;
}

/** Deletes a follow from both users' lists. Returns false if there was none. */
export async function deleteFollow(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  if ((await tx.run(sql`DELETE FROM follows WHERE user_id = ${from} AND target_id = ${to}`)) === 0)
    return false;
  await tx.run(sql`DELETE FROM followers WHERE user_id = ${to} AND follower_id = ${from}`);
  return true;
}

/** Stores a request to follow a protected account. Returns false if there is one. */
export async function insertFollowRequest(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO follow_requests (target_id, user_id, edge_id) VALUES (${edge.to}, ${edge.from}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function deleteFollowRequest(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM follow_requests WHERE target_id = ${to} AND user_id = ${from}`);
  return deleted === 1;
}

/** Lists the followers of the owner, newest first. */
export const listFollowers = edgeList<UserId, UserId>('followers', 'user_id', 'follower_id');

/** Lists the users that the owner follows, newest first. */
export const listFollowed = edgeList<UserId, UserId>('follows', 'user_id', 'target_id');

/** Returns the candidates that the user follows. */
export const followedAmong = amongEdges('follows', 'user_id', 'target_id');

/** Returns the candidates that follow the user. */
export const followersAmong = amongEdges('followers', 'user_id', 'follower_id');

/** Returns the candidates with a pending follow request from the user. */
export const requestedAmong = amongEdges('follow_requests', 'user_id', 'target_id');

/** Returns the candidates whose follow requests the user has not answered. */
export const requestersAmong = amongEdges('follow_requests', 'target_id', 'user_id');

/** Returns up to `limit` followers of the user with ids above `after`, ordered by id. */
export async function listFollowersAfter(
  db: Queryable,
  userId: UserId,
  after: UserId | undefined,
  limit: number,
): Promise<UserId[]> {
  const rows = await db.all(sql`
    SELECT follower_id FROM followers WHERE user_id = ${userId} AND follower_id > ${after ?? -1n}
    ORDER BY follower_id LIMIT ${limit}`);
  return rows.map((row) => asId<UserId>(row.follower_id));
}

/** Returns all users that the user follows, in no order. */
export async function listFollowedAll(db: Queryable, userId: UserId): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT target_id FROM follows WHERE user_id = ${userId}`);
  return rows.map((row) => asId<UserId>(row.target_id));
}
