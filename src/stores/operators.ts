import type { UserId } from '../core/ids.js';
import { readIds } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql, type Sql } from '../database/sql.js';
import { deleteBy } from '../database/table.js';

/** Returns the users who are operators of the server. */
export async function operatorsAmong(db: Queryable, ids: readonly UserId[]): Promise<Set<UserId>> {
  if (ids.length === 0) return new Set();
  return new Set(await readIds(db, sql`SELECT user_id AS id FROM operators WHERE user_id IN ${list(ids)}`));
}

/** The operators who can act: not suspended, deactivated or being deleted. */
const ACTIVE_OPERATORS = sql`
  SELECT o.user_id AS id FROM operators o JOIN users u ON u.id = o.user_id WHERE u.suspended = ${false}`;

/** Returns a condition: the column contains the id of an operator who can act. */
export function isActiveOperator(column: Sql): Sql {
  return sql`${column} IN (${ACTIVE_OPERATORS})`;
}

/** Returns the ids of all operators who can act. */
export function listActiveOperators(db: Queryable): Promise<UserId[]> {
  return readIds(db, ACTIVE_OPERATORS);
}

/** Makes a user an operator. Returns false if the user already is one. */
export async function insertOperator(tx: Tx, userId: UserId, sinceMs: number): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO operators (user_id, since) VALUES (${userId}, ${sinceMs}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Revokes the operator role. Returns false if the user is not an operator. */
export const deleteOperator = deleteBy<UserId>('user_id', 'operators');
