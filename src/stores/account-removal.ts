import type { PostId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { readIds } from '../database/read-ids.js';
import { sql } from '../database/sql.js';

/** Reads and deletes the data of an account in small batches, so that no other writer waits for long. */

/** Returns up to `limit` users that the user follows. */
export function listFollowed(db: Queryable, userId: UserId, limit: number): Promise<UserId[]> {
  return readIds(db, sql`SELECT target_id AS id FROM follows WHERE user_id = ${userId} LIMIT ${limit}`);
}

/** Returns up to `limit` followers of the user. */
export function listFollowers(db: Queryable, userId: UserId, limit: number): Promise<UserId[]> {
  return readIds(db, sql`SELECT follower_id AS id FROM followers WHERE user_id = ${userId} LIMIT ${limit}`);
}

/** Returns up to `limit` posts of the user. */
export function listPostIds(db: Queryable, userId: UserId, limit: number): Promise<PostId[]> {
  return readIds(db, sql`SELECT post_id AS id FROM user_posts WHERE user_id = ${userId} LIMIT ${limit}`);
}

/** Reports whether a post of the user is stored. */
export async function hasPosts(db: Queryable, userId: UserId): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS found FROM user_posts u JOIN posts p ON p.id = u.post_id WHERE u.user_id = ${userId} LIMIT 1`);
  return row !== undefined;
}

/** Returns up to `limit` posts that the user likes. */
export function listLikedIds(db: Queryable, userId: UserId, limit: number): Promise<PostId[]> {
  return readIds(db, sql`SELECT post_id AS id FROM liked_posts WHERE user_id = ${userId} LIMIT ${limit}`);
}

/** Returns up to `limit` bookmarks of the user. */
export function listBookmarkIds(db: Queryable, userId: UserId, limit: number): Promise<PostId[]> {
  return readIds(db, sql`SELECT post_id AS id FROM bookmarks WHERE user_id = ${userId} LIMIT ${limit}`);
}

/**
 * Deletes the rows that no counter depends on: blocks and mutes in both directions, mentions of the user, texts,
 * tokens.
 */
export async function removeUncounted(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM blocks WHERE user_id = ${userId} OR target_id = ${userId}`);
  await tx.run(sql`DELETE FROM blocked_by WHERE user_id = ${userId} OR blocker_id = ${userId}`);
  await tx.run(sql`DELETE FROM mutes WHERE user_id = ${userId} OR target_id = ${userId}`);
  await tx.run(sql`DELETE FROM mentions WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM recent_texts WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM bearer_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM refresh_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM oauth1_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM web_sessions WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM deactivated_users WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM operators WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM media_usage WHERE user_id = ${userId}`);
}
