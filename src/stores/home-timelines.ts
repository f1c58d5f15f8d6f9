import type { PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import { asBoolean, asId, asNumber, asOptionalNumber } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

/**
 * Home timelines. A timeline that has a row is warm: posts of followed users are written into it as they are made. One
 * without is cold, and built from the followed users' posts when it is read next.
 */

/** How many entries a home timeline reaches back (docs/api/timelines.md#bounds). */
export const HOME_DEPTH = 3_200;

export interface HomeTimeline {
  /** False while what was posted before it became warm is not there. */
  readonly isBuilt: boolean;
  readonly readAtMs: number;
  /** Whether the user follows large authors. */
  readonly hasLargeFollows: boolean;
}

/** Undefined when the timeline is cold. One statement, as every reading begins with it. */
export async function findHomeTimeline(db: Queryable, userId: UserId): Promise<HomeTimeline | undefined> {
  const row = await db.get(sql`
    SELECT is_built, read_at,
      CASE WHEN EXISTS (SELECT 1 FROM large_follows WHERE user_id = ${userId}) THEN 1 ELSE 0 END AS has_large
    FROM home_timelines WHERE user_id = ${userId}`);
  return (
    row && {
      isBuilt: asBoolean(row.is_built),
      readAtMs: asNumber(row.read_at),
      hasLargeFollows: asBoolean(row.has_large),
    }
  );
}

/**
 * The newest entries of a timeline, the user's own posts and those that are still to be written out within a range, when
 * these are all of it: undefined when it is not built or was last read before `readSinceMs`, when the user follows large
 * authors, and when no entry was found. One statement, so that all of that is true of one moment. Its parts are ordered
 * each by itself, or PostgreSQL reads and sorts all of them.
 */
export async function listWholeHome(
  db: Queryable,
  userId: UserId,
  { above, upTo }: KeyRange,
  limit: number,
  readSinceMs: number,
): Promise<PostId[] | undefined> {
  const rows = await db.all(sql`
    SELECT post_id, (SELECT CASE WHEN is_built = 1 AND read_at > ${readSinceMs}
        AND NOT EXISTS (SELECT 1 FROM large_follows WHERE user_id = ${userId}) THEN 1 ELSE 0 END
      FROM home_timelines WHERE user_id = ${userId}) AS is_whole
    FROM (SELECT post_id FROM home_entries
      WHERE user_id = ${userId} AND post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC) written_out
    UNION ALL
    SELECT post_id, NULL
    FROM (SELECT post_id FROM user_posts
      WHERE user_id = ${userId} AND post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC) own
    UNION ALL
    SELECT post_id, NULL
    FROM (SELECT post_id FROM pending_home_entries
      WHERE user_id = ${userId} AND post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC) pending
    ORDER BY post_id DESC LIMIT ${limit}`);
  const isWhole = rows.some((row) => asOptionalNumber(row.is_whole) === 1);
  return isWhole ? rows.map((row) => asId<PostId>(row.post_id)) : undefined;
}

/** Makes a timeline warm, not built; changes nothing when it is warm. */
export async function insertHomeTimeline(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO home_timelines (user_id, is_built, revision, read_at) VALUES (${userId}, 0, 0, ${nowMs})
    ON CONFLICT DO NOTHING`);
}

/**
 * Holds a warm timeline until the transaction ends: two that add or remove an author's posts come after one another.
 * False when it is cold.
 */
export async function lockHomeTimeline(tx: Tx, userId: UserId): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE home_timelines SET revision = revision + 1 WHERE user_id = ${userId}`);
  return changed === 1;
}

export async function markHomeBuilt(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`UPDATE home_timelines SET is_built = 1 WHERE user_id = ${userId}`);
}

export async function markHomeRead(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE home_timelines SET read_at = ${nowMs} WHERE user_id = ${userId}`);
}

/** Makes a timeline cold and forgets its entries. */
export async function deleteHomeTimeline(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM home_timelines WHERE user_id = ${userId}`);
  await deleteHomeEntries(tx, userId);
}

/** Makes the timelines of these authors' followers cold; their entries go when they are built anew. */
export async function coolTimelinesOfFollowers(tx: Tx, authorIds: readonly UserId[]): Promise<void> {
  await tx.run(sql`
    DELETE FROM home_timelines
    WHERE user_id IN (SELECT follower_id FROM followers WHERE user_id IN ${list(authorIds)})`);
}

/** Warm timelines in the order of their users, at most `limit` after one of them. */
export async function listHomeTimelines(
  db: Queryable,
  after: UserId | undefined,
  limit: number,
): Promise<{ userId: UserId; readAtMs: number }[]> {
  const rows = await db.all(sql`
    SELECT user_id, read_at FROM home_timelines WHERE user_id > ${after ?? -1n} ORDER BY user_id LIMIT ${limit}`);
  return rows.map((row) => ({ userId: asId<UserId>(row.user_id), readAtMs: asNumber(row.read_at) }));
}

/** Writes posts into those of the users' timelines that are warm. */
export async function insertHomeEntries(
  tx: Tx,
  postIds: readonly PostId[],
  userIds: readonly UserId[],
): Promise<void> {
  await tx.run(sql`
    INSERT INTO home_entries (user_id, post_id, author_id, created_at)
    SELECT h.user_id, p.id, p.author_id, p.created_at
    FROM home_timelines h CROSS JOIN posts p
    WHERE h.user_id IN ${list(userIds)} AND p.id IN ${list(postIds)}
    ORDER BY h.user_id, p.id
    ON CONFLICT DO NOTHING`);
}

/** Writes posts into those of all their authors' followers' timelines that are warm. */
export async function insertFollowersEntries(tx: Tx, postIds: readonly PostId[]): Promise<void> {
  // CROSS JOIN keeps SQLite from beginning with all timelines; in their order, each one is sought out once.
  await tx.run(sql`
    INSERT INTO home_entries (user_id, post_id, author_id, created_at)
    SELECT h.user_id, p.id, p.author_id, p.created_at
    FROM posts p CROSS JOIN followers f CROSS JOIN home_timelines h
    WHERE p.id IN ${list(postIds)} AND f.user_id = p.author_id AND h.user_id = f.follower_id
    ORDER BY h.user_id, p.id
    ON CONFLICT DO NOTHING`);
}

/** Takes a post out of the users' timelines. */
export async function deletePostEntries(tx: Tx, postId: PostId, userIds: readonly UserId[]): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE post_id = ${postId} AND user_id IN ${list(userIds)}`);
}

/**
 * Writes what the authors posted after `above` up to `upTo` into the user's timeline, the newest first and at most
 * `limit`. Resolves to how many were not there before.
 */
export async function insertAuthorsEntries(
  tx: Tx,
  userId: UserId,
  authorIds: readonly UserId[],
  range: { readonly above: PostId; readonly upTo: PostId },
  limit: number,
): Promise<number> {
  return tx.run(sql`
    INSERT INTO home_entries (user_id, post_id, author_id, created_at)
    SELECT ${userId}, post_id, user_id, created_at FROM user_posts
    WHERE user_id IN ${list(authorIds)} AND post_id > ${range.above} AND post_id <= ${range.upTo}
    ORDER BY post_id DESC LIMIT ${limit}
    ON CONFLICT DO NOTHING`);
}

/** Takes all posts of an author out of the user's timeline. */
export async function deleteAuthorEntries(tx: Tx, userId: UserId, authorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE user_id = ${userId} AND author_id = ${authorId}`);
}

export async function deleteHomeEntries(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE user_id = ${userId}`);
}

/** Forgets the entries from `postId` down. */
export async function deleteHomeEntriesFrom(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE user_id = ${userId} AND post_id <= ${postId}`);
}
