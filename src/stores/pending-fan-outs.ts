import { MAX_ID, type PostId, type UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, sql } from '../database/sql.js';
import { deleteBy, listQuery, setQuery } from '../database/table.js';

/**
 * Posts that are not in the home timelines of all followers yet. Until then readers find them in the view
 * `pending_home_entries`.
 */

/** Lower than every id. */
export const NONE = -1n;

/** Records a new post, in the transaction that stores it. Returns false if its author has no followers. */
export function insertPendingFanOut(
  tx: Tx,
  { id, authorId, createdAtMs }: Pick<Post, 'id' | 'authorId' | 'createdAtMs'>,
): Promise<boolean> {
  return tx.runOne(sql`
    INSERT INTO pending_fan_outs (post_id, author_id, created_at, served_to)
    SELECT ${id}, user_id, ${createdAtMs}, ${NONE} FROM user_counts WHERE user_id = ${authorId} AND followers > 0`);
}

/** Stands for the last follower of every author. */
export const LAST_FOLLOWER = MAX_ID as UserId;

/**
 * Returns up to `limit` pending posts with ids above `after`, lowest ids first, each with the last follower that was
 * served; NONE at the start.
 */
export async function listPendingFanOuts(db: Queryable, after: PostId | undefined, limit: number) {
  const rows = await db.all(sql`
    SELECT post_id, served_to FROM pending_fan_outs WHERE post_id > ${after ?? NONE}
    ORDER BY post_id LIMIT ${limit}`);
  return rows.map((row) => ({ id: asId<PostId>(row.post_id), servedTo: asId<UserId>(row.served_to) }));
}

/**
 * Lists the followers of the posts' authors that come after `servedTo` and returns every `nth`, in order. A follower of
 * several of the posts counts several times. Followers of large authors do not count.
 */
export const listEveryNthFollower = listQuery<
  UserId,
  [ids: readonly PostId[], servedTo: UserId, nth: number]
>(
  asId,
  `SELECT DISTINCT follower_id
  FROM (SELECT f.follower_id, ROW_NUMBER() OVER (ORDER BY f.follower_id) AS place
    FROM pending_fan_outs p CROSS JOIN followers f
    WHERE p.post_id IN ? AND f.user_id = p.author_id AND f.follower_id > ?
      AND NOT EXISTS (SELECT 1 FROM large_authors l WHERE l.user_id = p.author_id AND l.is_ready = 1)) numbered
  WHERE place % ? = 0 ORDER BY follower_id`,
);

/** Posts with equal progress, and the followers who get them next. */
export interface FanOutStep {
  /** The ids of the posts are above `above` and at most `upTo`. */
  readonly above: PostId;
  readonly upTo: PostId;
  /** The last follower served. */
  readonly from: UserId;
  /** The last follower to serve. */
  readonly to: UserId;
}

/** Records the progress of a step. Returns false if another process was faster. */
export async function continuePendingFanOuts(
  tx: Tx,
  { above, upTo, from, to }: FanOutStep,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE pending_fan_outs SET served_to = ${to}
    WHERE post_id > ${above} AND post_id <= ${upTo} AND served_to = ${from}`);
  return changed > 0;
}

/** Deletes the posts that all followers have. */
export async function deleteServedFanOuts(tx: Tx, { above, upTo }: FanOutStep): Promise<void> {
  await tx.run(sql`
    DELETE FROM pending_fan_outs
    WHERE post_id > ${above} AND post_id <= ${upTo} AND served_to = ${LAST_FOLLOWER}`);
}

/** Returns the posts that are not in the home timelines of all followers yet. */
export const findPendingAmong = setQuery<PostId, [ids: readonly PostId[]]>(
  asId,
  'SELECT post_id FROM pending_fan_outs WHERE post_id IN ?',
);

/** Deletes the pending fan-out of a deleted post. Only entries written before need to be removed. */
export const deletePendingFanOut = deleteBy<PostId>('post_id', 'pending_fan_outs');
