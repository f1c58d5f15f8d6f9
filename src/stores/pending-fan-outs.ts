import { MAX_ID, type PostId, type UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { Tx } from '../database/engine.js';
import { asId, asOptionalId, sql } from '../database/sql.js';
import { listQuery, rowsQuery, setQuery } from '../database/table.js';

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
  // Servers of schema version 55 keep their progress in served_to.
  return tx.runOne(sql`
    INSERT INTO pending_fan_outs (post_id, author_id, created_at, served_to)
    SELECT ${id}, user_id, ${createdAtMs}, ${NONE} FROM user_counts WHERE user_id = ${authorId} AND followers > 0`);
}

interface PendingFanOut {
  readonly id: PostId;
  readonly round: bigint | undefined;
  /** The newest round, the highest id of its posts and the last follower that was served. */
  readonly newest: { readonly round: bigint; readonly upTo: PostId; readonly servedTo: UserId };
}

/** Stands for the last follower of every author. */
export const LAST_FOLLOWER = MAX_ID as UserId;

/** Lists up to `limit` pending posts with ids above `after`, lowest ids first, each with its round and the newest. */
export const listPendingFanOuts = rowsQuery<PendingFanOut, [after: PostId, limit: number]>(
  (row) => ({
    id: asId(row.post_id),
    round: asOptionalId(row.round),
    newest: { round: asId(row.newest), upTo: asId(row.up_to), servedTo: asId(row.served_to) },
  }),
  `SELECT p.post_id, p.round, n.round AS newest, n.up_to, n.served_to
  FROM fan_out_progress n CROSS JOIN pending_fan_outs p
  WHERE n.id = 1 AND p.post_id > ? ORDER BY p.post_id LIMIT ?`,
);

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

/** Posts that go out together, and the followers who get them next. */
export interface FanOutStep {
  /** The number of the round: one more than that of the round before. */
  readonly round: bigint;
  /** In the first step of a round, which takes the posts: their ids are above. */
  readonly above: PostId | undefined;
  /** The lowest id of the posts. */
  readonly lowest: PostId;
  /** The highest id of the posts. */
  readonly upTo: PostId;
  /** The last follower served. */
  readonly from: UserId;
  /** The last follower to serve. */
  readonly to: UserId;
}

/** Records the progress of a step; the first one takes the posts. Returns false if another process was faster. */
export async function advanceFanOut(tx: Tx, { round, above, upTo, from, to }: FanOutStep): Promise<boolean> {
  if (above === undefined) {
    return tx.runOne(sql`
      UPDATE fan_out_progress SET served_to = ${to} WHERE id = 1 AND round = ${round} AND served_to = ${from}`);
  }
  const isFirst = await tx.runOne(sql`
    UPDATE fan_out_progress SET round = ${round}, up_to = ${upTo}, served_to = ${to}
    WHERE id = 1 AND round = ${round - 1n}`);
  if (!isFirst) return false;
  await tx.run(sql`
    UPDATE pending_fan_outs SET round = ${round} WHERE post_id > ${above} AND post_id <= ${upTo}`);
  return true;
}

/** Deletes the posts of a round, which all followers have. */
export async function deleteServedFanOuts(tx: Tx, { round, upTo }: FanOutStep): Promise<void> {
  await tx.run(sql`DELETE FROM pending_fan_outs WHERE post_id <= ${upTo} AND round = ${round}`);
}

/** Returns the posts that are not in the home timelines of all followers yet. */
export const findPendingAmong = setQuery<PostId, [ids: readonly PostId[]]>(
  asId,
  'SELECT post_id FROM pending_fan_outs WHERE post_id IN ?',
);

/** Deletes the pending fan-out of a deleted post. Waits for a step that writes it: no later one does. */
export async function deletePendingFanOut(tx: Tx, id: PostId): Promise<void> {
  const row = await tx.get(sql`DELETE FROM pending_fan_outs WHERE post_id = ${id} RETURNING round`);
  const round = asOptionalId(row?.round);
  if (round === undefined) return;
  await tx.run(sql`UPDATE fan_out_progress SET served_to = served_to WHERE id = 1 AND round = ${round}`);
}
