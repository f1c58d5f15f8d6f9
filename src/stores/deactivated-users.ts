import type { UserId } from '../core/ids.js';
import { asBoolean, asId } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';
import { deleteBy } from '../database/table.js';

/** Returns the users that deactivated their account and are not also suspended by an operator. */
export async function deactivatedAmong(db: Queryable, ids: readonly UserId[]): Promise<Set<UserId>> {
  if (ids.length === 0) return new Set();
  const rows = await db.all(
    sql`SELECT user_id FROM deactivated_users WHERE user_id IN ${list(ids)} AND suspended = ${false}`,
  );
  return new Set(rows.map((row) => asId<UserId>(row.user_id)));
}

/** Returns whether an operator also suspended a deactivated account, or undefined if it is not deactivated. */
export async function findDeactivation(
  db: Queryable,
  userId: UserId,
): Promise<{ readonly suspended: boolean } | undefined> {
  const row = await db.get(sql`SELECT suspended FROM deactivated_users WHERE user_id = ${userId}`);
  return row && { suspended: asBoolean(row.suspended) };
}

/** Records that a user deactivated the account. Returns false if already recorded. */
export async function insertDeactivation(tx: Tx, userId: UserId, nowMs: number): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO deactivated_users (user_id, deactivated_at) VALUES (${userId}, ${nowMs})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Records whether an operator also suspended a deactivated account. Returns false if it is not deactivated. */
export async function suspendDeactivated(tx: Tx, userId: UserId, suspended: boolean): Promise<boolean> {
  const updated = await tx.run(sql`
    UPDATE deactivated_users SET suspended = ${suspended} WHERE user_id = ${userId}`);
  return updated === 1;
}

/** Deletes the record of a deactivation. Returns false if there was none. */
export const deleteDeactivation = deleteBy<UserId>('user_id', 'deactivated_users');
