import type { PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asBoolean, asId, asNumber, asOptionalNumber, list, sql, sqlIn } from '../database/sql.js';
import { deleteBy, listQuery, rowChange, rowsChange, rowsQuery } from '../database/table.js';
import type { FanOutStep } from './pending-fan-outs.js';
import { boundsOf } from './timeline-entries.js';

/**
 * Home timelines. A timeline with a row is warm: new posts of followed users are written into it. A timeline without
 * a row is cold: it is built from the followed users' posts at the next read.
 */

/** The maximum number of entries in a home timeline (docs/api/timelines.md#bounds). */
export const HOME_DEPTH = 3_200;

export interface HomeTimeline {
  /** False until the posts from before it became warm are written. */
  readonly isBuilt: boolean;
  readonly readAtMs: number;
  /** Whether the user follows large authors. */
  readonly hasLargeFollows: boolean;
}

/** Returns the state of a timeline, or undefined if it is cold. One statement, since every read starts with it. */
export async function findHomeTimeline(db: Queryable, userId: UserId): Promise<HomeTimeline | undefined> {
  const row = await db.get(sqlIn('lookup')`
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
 * Returns the newest posts of a home timeline within a range: its entries, the user's own posts and pending fan-outs.
 * Returns undefined if these are not complete: the timeline is not built, was last read before
 * `readSinceMs`, the user follows large authors, or there is no entry.
 *
 * One statement gives a consistent snapshot. Each part has its own ORDER BY and LIMIT; otherwise PostgreSQL reads and
 * sorts all rows.
 */
export async function listWholeHome(
  db: Queryable,
  userId: UserId,
  range: KeyRange,
  limit: number,
  readSinceMs: number,
): Promise<PostId[] | undefined> {
  const bounds = boundsOf(range);
  const rows = await db.all(sqlIn('home')`
    SELECT post_id, (SELECT CASE WHEN is_built = 1 AND read_at > ${readSinceMs}
        AND NOT EXISTS (SELECT 1 FROM large_follows WHERE user_id = ${userId}) THEN 1 ELSE 0 END
      FROM home_timelines WHERE user_id = ${userId}) AS is_whole
    FROM (SELECT post_id FROM home_entries
      WHERE user_id = ${userId}${bounds} ORDER BY post_id DESC LIMIT ${limit}) written_out
    UNION ALL
    SELECT post_id, NULL
    FROM (SELECT post_id FROM user_posts
      WHERE user_id = ${userId}${bounds} ORDER BY post_id DESC LIMIT ${limit}) own
    UNION ALL
    SELECT post_id, NULL
    FROM (SELECT post_id FROM pending_home_entries
      WHERE user_id = ${userId}${bounds} ORDER BY post_id DESC LIMIT ${limit}) pending
    ORDER BY post_id DESC LIMIT ${limit}`);
  const isWhole = rows.some((row) => asOptionalNumber(row.is_whole) === 1);
  return isWhole ? rows.map((row) => asId<PostId>(row.post_id)) : undefined;
}

/** Makes a timeline warm but not built. Does nothing if it is warm. */
export const insertHomeTimeline = rowChange<[UserId, nowMs: number]>(
  `INSERT INTO home_timelines (user_id, is_built, revision, read_at) VALUES (?, 0, 0, ?)
  ON CONFLICT DO NOTHING`,
);

/**
 * Locks a warm timeline until the transaction ends, which serializes adding and removing an author's posts. Returns
 * false if the timeline is cold.
 */
export const lockHomeTimeline = rowChange<[userId: UserId]>(
  'UPDATE home_timelines SET revision = revision + 1 WHERE user_id = ?',
);

export async function markHomeBuilt(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`UPDATE home_timelines SET is_built = 1 WHERE user_id = ${userId}`);
}

export async function markHomeRead(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE home_timelines SET read_at = ${nowMs} WHERE user_id = ${userId}`);
}

/** Makes a timeline cold and deletes its entries. */
export const deleteHomeTimeline = deleteBy<UserId>('user_id', 'home_timelines', 'home_entries');

/** Makes the timelines of these authors' followers cold. Rebuilding them deletes their entries. */
export const coolTimelinesOfFollowers = rowsChange<[authorIds: readonly UserId[]]>(
  `DELETE FROM home_timelines
  WHERE user_id IN (SELECT follower_id FROM followers WHERE user_id IN ?)`,
);

/** Returns up to `limit` warm timelines with user ids above `after`, ordered by user id. */
export async function listHomeTimelines(
  db: Queryable,
  after: UserId | undefined,
  limit: number,
): Promise<{ userId: UserId; readAtMs: number }[]> {
  const rows = await db.all(sql`
    SELECT user_id, read_at FROM home_timelines WHERE user_id > ${after ?? -1n} ORDER BY user_id LIMIT ${limit}`);
  return rows.map((row) => ({ userId: asId<UserId>(row.user_id), readAtMs: asNumber(row.read_at) }));
}

/**
 * Writes the posts of a step into warm timelines. Leaves posts of large authors out. Throws AlreadyExists if another
 * transaction writes one of the entries at the same moment.
 */
export async function insertFollowersEntries(tx: Tx, step: FanOutStep): Promise<void> {
  const { round, upTo, from, to } = step;
  // CROSS JOIN stops SQLite from scanning all timelines first; the order makes it seek each timeline once.
  const insert = sql`
    INSERT INTO home_entries (user_id, post_id, author_id, created_at)
    SELECT h.user_id, s.post_id, s.author_id, s.created_at
    FROM (SELECT p.post_id, p.author_id, p.created_at, f.follower_id
        FROM pending_fan_outs p CROSS JOIN followers f
        WHERE p.post_id <= ${upTo} AND p.round = ${round}
          AND NOT EXISTS (SELECT 1 FROM large_authors l WHERE l.user_id = p.author_id AND l.is_ready = 1)
          AND f.user_id = p.author_id AND f.follower_id > ${from} AND f.follower_id <= ${to}) s
      CROSS JOIN home_timelines h
    WHERE h.user_id = s.follower_id
    ORDER BY h.user_id, s.post_id`;
  // Follows and builds write entries too. PostgreSQL takes 1.7 times as long with ON CONFLICT.
  await tx.run((await hasEntryOf(tx, step)) ? sql`${insert} ON CONFLICT DO NOTHING` : insert);
}

/** Reports whether the timeline of a follower in a step has an entry of one of its posts. */
async function hasEntryOf(tx: Tx, { round, lowest, upTo, from, to }: FanOutStep): Promise<boolean> {
  const found = await tx.get(sql`
    SELECT 1 AS found
    FROM (SELECT f.follower_id
        FROM (SELECT DISTINCT author_id FROM pending_fan_outs WHERE post_id <= ${upTo} AND round = ${round}) a
          CROSS JOIN followers f
        WHERE f.user_id = a.author_id AND f.follower_id > ${from} AND f.follower_id <= ${to}
        GROUP BY f.follower_id) s
      CROSS JOIN home_entries e CROSS JOIN pending_fan_outs p
    WHERE e.user_id = s.follower_id AND e.post_id >= ${lowest} AND e.post_id <= ${upTo}
      AND p.post_id = e.post_id AND p.round = ${round} LIMIT 1`);
  return found !== undefined;
}

/** Deletes a post from the users' timelines. */
export async function deletePostEntries(tx: Tx, postId: PostId, userIds: readonly UserId[]): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE post_id = ${postId} AND user_id IN ${list(userIds)}`);
}

function authorsWriter(conflict = '') {
  return rowsChange<[UserId, authorIds: readonly UserId[], above: bigint, upTo: bigint, limit: number]>(
    `INSERT INTO home_entries (user_id, post_id, author_id, created_at)
    SELECT ?, post_id, user_id, created_at FROM user_posts
    WHERE user_id IN ? AND post_id > ? AND post_id <= ? ORDER BY post_id DESC LIMIT ? ${conflict}`,
  );
}

/** Writes up to `limit` newest posts of the authors into the user's timeline. Returns the number of new entries. */
export const insertAuthorsEntries = authorsWriter('ON CONFLICT DO NOTHING');

/** Does the same, faster on PostgreSQL. Throws AlreadyExists if the timeline has one of the posts. */
export const insertNewEntries = authorsWriter();

/** An entry that fan-out wrote. */
export interface HomeEntry {
  readonly postId: PostId;
  readonly authorId: UserId;
}

/** Returns all entries of a timeline, newest first. */
export const listHomeEntries = rowsQuery<HomeEntry, [UserId]>(
  (row) => ({ postId: asId(row.post_id), authorId: asId(row.author_id) }),
  'SELECT post_id, author_id FROM home_entries WHERE user_id = ? ORDER BY post_id DESC',
);

/** Returns up to `limit` newest posts of the authors above an id, newest first: those that a timeline is built from. */
export const listPostsOf = listQuery<PostId, [authorIds: readonly UserId[], above: PostId, limit: number]>(
  asId,
  'SELECT post_id FROM user_posts WHERE user_id IN ? AND post_id > ? ORDER BY post_id DESC LIMIT ?',
);

/** Deletes all posts of an author from the user's timeline. */
export async function deleteAuthorEntries(tx: Tx, userId: UserId, authorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE user_id = ${userId} AND author_id = ${authorId}`);
}

export const deleteHomeEntries = deleteBy<UserId>('user_id', 'home_entries');

/** Deletes the entries with ids up to `postId`. */
export async function deleteHomeEntriesFrom(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM home_entries WHERE user_id = ${userId} AND post_id <= ${postId}`);
}
