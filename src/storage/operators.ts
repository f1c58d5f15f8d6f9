import type { UserId } from '../core/ids.js';
import { asId } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { list, sql } from './sql.js';

/** Those among the users who run the server. */
export async function operatorsAmong(db: Queryable, ids: readonly UserId[]): Promise<Set<UserId>> {
  if (ids.length === 0) return new Set();
  const rows = await db.all(sql`SELECT user_id FROM operators WHERE user_id IN ${list(ids)}`);
  return new Set(rows.map((row) => asId<UserId>(row.user_id)));
}

/** Makes a user an operator; false when that is so already. */
export async function insertOperator(tx: Tx, userId: UserId, sinceMs: number): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO operators (user_id, since) VALUES (${userId}, ${sinceMs}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** False when the user is no operator. */
export async function deleteOperator(tx: Tx, userId: UserId): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM operators WHERE user_id = ${userId}`)) === 1;
}
