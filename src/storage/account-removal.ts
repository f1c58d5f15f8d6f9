import type { PostId, UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { sql } from './sql.js';

/** What belongs to an account that goes away, a piece at a time, so that no other writer waits for long. */

/** Up to `limit` of the users whom the user follows. */
export async function listFollowed(db: Queryable, userId: UserId, limit: number): Promise<UserId[]> {
  const rows = await db.all(
    sql`SELECT target_id AS id FROM follows WHERE user_id = ${userId} LIMIT ${limit}`,
  );
  return rows.map((row) => asId<UserId>(row.id));
}

/** Up to `limit` of the users who follow the user. */
export async function listFollowers(db: Queryable, userId: UserId, limit: number): Promise<UserId[]> {
  const rows = await db.all(
    sql`SELECT follower_id AS id FROM followers WHERE user_id = ${userId} LIMIT ${limit}`,
  );
  return rows.map((row) => asId<UserId>(row.id));
}

/** Up to `limit` of the user's posts. */
export async function listPostIds(db: Queryable, userId: UserId, limit: number): Promise<PostId[]> {
  const rows = await db.all(
    sql`SELECT post_id AS id FROM user_posts WHERE user_id = ${userId} LIMIT ${limit}`,
  );
  return rows.map((row) => asId<PostId>(row.id));
}

/** Up to `limit` of the posts that the user likes. */
export async function listLikedIds(db: Queryable, userId: UserId, limit: number): Promise<PostId[]> {
  const rows = await db.all(
    sql`SELECT post_id AS id FROM liked_posts WHERE user_id = ${userId} LIMIT ${limit}`,
  );
  return rows.map((row) => asId<PostId>(row.id));
}

/** Up to `limit` of the user's bookmarks. */
export async function listBookmarkIds(db: Queryable, userId: UserId, limit: number): Promise<PostId[]> {
  const rows = await db.all(
    sql`SELECT post_id AS id FROM bookmarks WHERE user_id = ${userId} LIMIT ${limit}`,
  );
  return rows.map((row) => asId<PostId>(row.id));
}

/** Takes a like back, in the lists of both post and user. */
export async function removeLike(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM liked_posts WHERE user_id = ${userId} AND post_id = ${postId}`);
  await tx.run(sql`DELETE FROM likes WHERE post_id = ${postId} AND user_id = ${userId}`);
}

export async function removeBookmark(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM bookmarks WHERE user_id = ${userId} AND post_id = ${postId}`);
}

/** Takes away what nobody counts: requests, blocks and mutes of both sides, mentions of the user, texts, tokens. */
export async function removeUncounted(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM follow_requests WHERE target_id = ${userId} OR user_id = ${userId}`);
  await tx.run(sql`DELETE FROM blocks WHERE user_id = ${userId} OR target_id = ${userId}`);
  await tx.run(sql`DELETE FROM blocked_by WHERE user_id = ${userId} OR blocker_id = ${userId}`);
  await tx.run(sql`DELETE FROM mutes WHERE user_id = ${userId} OR target_id = ${userId}`);
  await tx.run(sql`DELETE FROM mentions WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM recent_texts WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM bearer_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM refresh_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM oauth1_tokens WHERE user_id = ${userId}`);
}
