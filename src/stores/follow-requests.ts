import type { UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Returns the users whose follow requests the user has not answered, oldest first: all of them, or the first
 * `limit`.
 */
export async function listRequesters(
  db: Queryable,
  userId: UserId,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<UserId[]> {
  const rows = await db.all(sql`
    SELECT user_id AS id FROM follow_requests WHERE target_id = ${userId} ORDER BY edge_id LIMIT ${limit}`);
  return rows.map((row) => asId<UserId>(row.id));
}

/** Deletes the follow requests that the user sent or received. */
export async function deleteRequestsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM follow_requests WHERE target_id = ${userId} OR user_id = ${userId}`);
}
