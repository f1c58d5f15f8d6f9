import type { UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable } from './engine.js';
import { sql } from './sql.js';

/** Everybody who waits for the user to answer a request to follow, oldest first. */
export async function listRequesters(db: Queryable, userId: UserId): Promise<UserId[]> {
  const rows = await db.all(sql`
    SELECT user_id AS id FROM follow_requests WHERE target_id = ${userId} ORDER BY edge_id`);
  return rows.map((row) => asId<UserId>(row.id));
}
