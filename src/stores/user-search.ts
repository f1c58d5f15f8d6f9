import type { UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import type { Queryable } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Returns up to `limit` users whose username starts with `prefix` (case-insensitive), ordered by username, after the
 * username `after` (empty to start).
 */
export async function searchUserIds(
  db: Queryable,
  prefix: string,
  after: string,
  limit: number,
): Promise<UserId[]> {
  const pattern = `${prefix.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`;
  const rows = await db.all(sql`
    SELECT user_id FROM usernames WHERE username LIKE ${pattern} ESCAPE '!' AND username > ${after.toLowerCase()}
    ORDER BY username LIMIT ${limit}`);
  return rows.map((row) => asId<UserId>(row.user_id));
}
