import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, list, sql } from '../database/sql.js';

/** Records for compliance jobs when the deletion of an account started. Returns false if already recorded. */
export function insertDeletedUser(
  tx: Tx,
  user: Pick<User, 'id' | 'createdAtMs'>,
  deletedAtMs: number,
): Promise<boolean> {
  return tx.runOne(sql`
    INSERT INTO deleted_users (user_id, created_at, deleted_at)
    VALUES (${user.id}, ${user.createdAtMs}, ${deletedAtMs})
    ON CONFLICT DO NOTHING`);
}

/** Returns when the deletion of each account started, by id. Accounts not deleted here are left out. */
export async function findDeletedUsers(db: Queryable, ids: readonly UserId[]): Promise<Map<UserId, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT user_id, deleted_at FROM deleted_users WHERE user_id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asId<UserId>(row.user_id), asNumber(row.deleted_at)]));
}
