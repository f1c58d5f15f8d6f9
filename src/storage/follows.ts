import type { EdgeId, UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { list, sql } from './sql.js';

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

/** Those of `candidates` whom `userId` follows. */
export async function followedAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT target_id FROM follows WHERE user_id = ${userId} AND target_id IN ${list(candidates)}`);
  return new Set(rows.map((row) => asId<UserId>(row.target_id)));
}

/** Those of `candidates` who follow `userId`. */
export async function followersAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT follower_id FROM followers WHERE user_id = ${userId} AND follower_id IN ${list(candidates)}`);
  return new Set(rows.map((row) => asId<UserId>(row.follower_id)));
}

/** Those of `candidates` whom `userId` has asked to follow, without an answer so far. */
export async function requestedAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT target_id FROM follow_requests WHERE target_id IN ${list(candidates)} AND user_id = ${userId}`);
  return new Set(rows.map((row) => asId<UserId>(row.target_id)));
}

/** Those of `candidates` who wait for `userId` to answer their request to follow. */
export async function requestersAmong(
  db: Queryable,
  userId: UserId,
  candidates: readonly UserId[],
): Promise<Set<UserId>> {
  if (candidates.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT user_id FROM follow_requests WHERE target_id = ${userId} AND user_id IN ${list(candidates)}`);
  return new Set(rows.map((row) => asId<UserId>(row.user_id)));
}
