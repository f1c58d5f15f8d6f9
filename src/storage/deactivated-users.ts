import type { UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { list, sql } from './sql.js';

/** Those among the users who put their account to rest. */
export async function deactivatedAmong(db: Queryable, ids: readonly UserId[]): Promise<Set<UserId>> {
  if (ids.length === 0) return new Set();
  const rows = await db.all(sql`SELECT user_id FROM deactivated_users WHERE user_id IN ${list(ids)}`);
  return new Set(rows.map((row) => asId<UserId>(row.user_id)));
}

/** Notes that a user put the account to rest; false when that is so already. */
export async function insertDeactivation(tx: Tx, userId: UserId, nowMs: number): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO deactivated_users (user_id, deactivated_at) VALUES (${userId}, ${nowMs})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** False when the user had not put the account to rest. */
export async function deleteDeactivation(tx: Tx, userId: UserId): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM deactivated_users WHERE user_id = ${userId}`)) === 1;
}
