import type { PostId, UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalId, asOptionalNumber } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';
import { deleteBy } from '../database/table.js';
import { listQuery } from '../database/queries.js';

/**
 * Posts that are not in the home timelines of all followers yet. Until then readers find them in the view
 * `pending_home_entries`.
 */

/** A post to fan out. */
export interface PendingFanOut {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  /** The last follower served; NONE_SERVED at the start. */
  readonly servedTo: UserId;
  /** The author's follower count. An imported count may differ from the number of followers stored here. */
  readonly followers: number;
  /** True if the author is large: followers merge the posts at read time and no timeline needs them. */
  readonly isMerged: boolean;
}

/** Lower than every id. */
export const NONE_SERVED = -1n as UserId;

/** Records a new post, in the transaction that stores it. */
export async function insertPendingFanOut(
  tx: Tx,
  post: Pick<PendingFanOut, 'id' | 'authorId' | 'createdAtMs'>,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO pending_fan_outs (post_id, author_id, created_at, served_to)
    VALUES (${post.id}, ${post.authorId}, ${post.createdAtMs}, ${NONE_SERVED})`);
}

/** Returns up to `limit` pending posts with ids above `after`, lowest ids first. */
export async function listPendingFanOuts(
  db: Queryable,
  after: PostId | undefined,
  limit: number,
): Promise<PendingFanOut[]> {
  const rows = await db.all(sql`
    SELECT post_id, author_id, created_at, served_to,
      (SELECT followers FROM user_counts WHERE user_id = author_id) AS followers,
      (SELECT is_ready FROM large_authors WHERE user_id = author_id) AS is_merged
    FROM pending_fan_outs WHERE post_id > ${after ?? -1n}
    ORDER BY post_id LIMIT ${limit}`);
  return rows.map((row) => ({
    id: asId(row.post_id),
    authorId: asId(row.author_id),
    createdAtMs: asNumber(row.created_at),
    servedTo: asId(row.served_to),
    followers: asOptionalNumber(row.followers) ?? 0,
    isMerged: asOptionalNumber(row.is_merged) === 1,
  }));
}

/** Returns the lowest pending id above `after`. */
export async function findPendingFanOut(
  db: Queryable,
  after: PostId | undefined,
): Promise<PostId | undefined> {
  const row = await db.get(sql`
    SELECT post_id FROM pending_fan_outs WHERE post_id > ${after ?? -1n} ORDER BY post_id LIMIT 1`);
  return asOptionalId<PostId>(row?.post_id);
}

/**
 * Records that followers up to `to` have these posts, of which followers up to `from` had them. Returns the ids that
 * were updated; another process was faster for the rest, or they were deleted.
 */
export async function continuePendingFanOuts(
  tx: Tx,
  ids: readonly PostId[],
  from: UserId,
  to: UserId,
): Promise<PostId[]> {
  const rows = await tx.all(sql`
    UPDATE pending_fan_outs SET served_to = ${to} WHERE post_id IN ${list(ids)} AND served_to = ${from}
    RETURNING post_id`);
  return rows.map((row) => asId(row.post_id));
}

/** Deletes the posts from the pending table after the last follower. Returns the ids that were deleted. */
export const completePendingFanOuts = listQuery<PostId, [ids: readonly PostId[], from: UserId]>(
  asId,
  'DELETE FROM pending_fan_outs WHERE post_id IN ? AND served_to = ? RETURNING post_id',
);

/** Deletes the pending fan-out of a deleted post. Only entries written before need to be removed. */
export const deletePendingFanOut = deleteBy<PostId>('post_id', 'pending_fan_outs');
