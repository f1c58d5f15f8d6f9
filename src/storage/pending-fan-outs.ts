import type { PostId, UserId } from '../core/ids.js';
import { asId, asNumber } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { sql } from './sql.js';

/**
 * Posts that are not in the home timelines of all their authors' followers yet. Until they are, readers find them in the
 * view `pending_home_entries`.
 */

/** A post that is to be written out. */
export interface PendingFanOut {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  /** The follower who was served last; lower than every id at the beginning. */
  readonly servedTo: UserId;
}

/** Notes a new post, in the transaction that stores it. */
export async function insertPendingFanOut(
  tx: Tx,
  post: Pick<PendingFanOut, 'id' | 'authorId' | 'createdAtMs'>,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO pending_fan_outs (post_id, author_id, created_at, served_to)
    VALUES (${post.id}, ${post.authorId}, ${post.createdAtMs}, -1)`);
}

/** Up to `limit` of them, the lowest ids first. */
export async function listPendingFanOuts(db: Queryable, limit: number): Promise<PendingFanOut[]> {
  const rows = await db.all(sql`
    SELECT post_id, author_id, created_at, served_to FROM pending_fan_outs ORDER BY post_id LIMIT ${limit}`);
  return rows.map((row) => ({
    id: asId(row.post_id),
    authorId: asId(row.author_id),
    createdAtMs: asNumber(row.created_at),
    servedTo: asId(row.served_to),
  }));
}

export async function hasPendingFanOut(db: Queryable): Promise<boolean> {
  return (await db.get(sql`SELECT 1 AS found FROM pending_fan_outs LIMIT 1`)) !== undefined;
}

/** Notes that followers up to `servedTo` have the post; false when somebody else was faster, or it was deleted. */
export async function continuePendingFanOut(tx: Tx, post: PendingFanOut, servedTo: UserId): Promise<boolean> {
  const changed = await tx.run(sql`UPDATE pending_fan_outs SET served_to = ${servedTo}
    WHERE post_id = ${post.id} AND served_to = ${post.servedTo}`);
  return changed === 1;
}

/** Notes that all have it; false as above. */
export async function completePendingFanOut(tx: Tx, post: PendingFanOut): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM pending_fan_outs WHERE post_id = ${post.id} AND served_to = ${post.servedTo}`);
  return deleted === 1;
}

/** Forgets a post that is deleted: what was written out before is all that there is to take back. */
export async function deletePendingFanOut(tx: Tx, id: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM pending_fan_outs WHERE post_id = ${id}`);
}
