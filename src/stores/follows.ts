import type { EdgeId, UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';
import { amongEdges } from './user-edges.js';

/** A directed relation between two users; the edge id orders a user's list by time. */
export interface UserEdge {
  readonly from: UserId;
  readonly to: UserId;
  readonly edgeId: EdgeId;
}

/** Makes `from` follow `to`, in both users' lists; false, changing nothing, when that is so already. */
export async function insertFollow(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO follows (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO followers (user_id, follower_id, edge_id) VALUES (${edge.to}, ${edge.from}, ${edge.edgeId})`);
  return true;
}

/** Ends a follow in both users' lists; false when there was none. */
export async function deleteFollow(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  if ((await tx.run(sql`DELETE FROM follows WHERE user_id = ${from} AND target_id = ${to}`)) === 0)
    return false;
  await tx.run(sql`DELETE FROM followers WHERE user_id = ${to} AND follower_id = ${from}`);
  return true;
}

/** Keeps a request to follow a protected account; false when there is one. */
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

/** The users who follow the owner, newest first. */
export const listFollowers = edgeList<UserId, UserId>('followers', 'user_id', 'follower_id');

/** The users whom the owner follows, newest first. */
export const listFollowed = edgeList<UserId, UserId>('follows', 'user_id', 'target_id');

/** Those of the candidates whom the user follows. */
export const followedAmong = amongEdges('follows', 'user_id', 'target_id');

/** Those of the candidates who follow the user. */
export const followersAmong = amongEdges('followers', 'user_id', 'follower_id');

/** Those of the candidates whom the user has asked to follow, without an answer so far. */
export const requestedAmong = amongEdges('follow_requests', 'user_id', 'target_id');

/** Those of the candidates who wait for the user to answer their request to follow. */
export const requestersAmong = amongEdges('follow_requests', 'target_id', 'user_id');

/** Up to `limit` of the user's followers, in the order of their ids, after one of them. */
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

/** Everybody whom the user follows, in no order. */
export async function listFollowedAll(db: Queryable, userId: UserId): Promise<UserId[]> {
  const rows = await db.all(sql`SELECT target_id FROM follows WHERE user_id = ${userId}`);
  return rows.map((row) => asId<UserId>(row.target_id));
}
