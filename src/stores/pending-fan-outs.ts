import type { PostId, UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalId, asOptionalNumber } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

/**
 * Posts that are not in the home timelines of all their authors' followers yet. Until they are, readers find them in the
 * view `pending_home_entries`.
 */

/** A post that is to be written out. */
export interface PendingFanOut {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  /** The follower who was served last; NOBODY_SERVED at the beginning. */
  readonly servedTo: UserId;
  /** As the author's profile counts them: an imported count need not be that of those who follow here. */
  readonly followers: number;
  /** True when followers find the author's posts by themselves: no timeline needs to have them. */
  readonly isMerged: boolean;
}

/** Lower than every id. */
export const NOBODY_SERVED = -1n as UserId;

/** Notes a new post, in the transaction that stores it. */
export async function insertPendingFanOut(
  tx: Tx,
  post: Pick<PendingFanOut, 'id' | 'authorId' | 'createdAtMs'>,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO pending_fan_outs (post_id, author_id, created_at, served_to)
    VALUES (${post.id}, ${post.authorId}, ${post.createdAtMs}, ${NOBODY_SERVED})`);
}

/** Up to `limit` of them after the post `after`, the lowest ids first. */
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

/** The lowest id among them after the post `after`. */
export async function findPendingFanOut(
  db: Queryable,
  after: PostId | undefined,
): Promise<PostId | undefined> {
  const row = await db.get(sql`
    SELECT post_id FROM pending_fan_outs WHERE post_id > ${after ?? -1n} ORDER BY post_id LIMIT 1`);
  return asOptionalId<PostId>(row?.post_id);
}

/**
 * Notes that followers up to `to` have these posts, of which followers up to `from` had them; resolves to those of which
 * that is so: of others somebody else was faster, or they were deleted.
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

/** The same when there are no more followers. */
export async function completePendingFanOuts(
  tx: Tx,
  ids: readonly PostId[],
  from: UserId,
): Promise<PostId[]> {
  const rows = await tx.all(sql`
    DELETE FROM pending_fan_outs WHERE post_id IN ${list(ids)} AND served_to = ${from} RETURNING post_id`);
  return rows.map((row) => asId(row.post_id));
}

/** Forgets a post that is deleted: what was written out before is all that there is to take back. */
export async function deletePendingFanOut(tx: Tx, id: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM pending_fan_outs WHERE post_id = ${id}`);
}
