import type { UserId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';
import { asId, sql, type Sql } from '../database/sql.js';
import { readValues, deleteBy, rowChange, setQuery } from '../database/table.js';

/** Returns the users who are operators of the server. */
export const operatorsAmong = setQuery<UserId, [ids: readonly UserId[]]>(
  asId,
  'SELECT user_id FROM operators WHERE user_id IN ?',
);

/** The operators who can act: not suspended, deactivated or being deleted. */
const ACTIVE_OPERATORS = sql`
  SELECT o.user_id AS id FROM operators o JOIN users u ON u.id = o.user_id WHERE u.suspended = ${false}`;

/** Returns a condition: the column contains the id of an operator who can act. */
export function isActiveOperator(column: Sql): Sql {
  return sql`${column} IN (${ACTIVE_OPERATORS})`;
}

/** Returns the ids of all operators who can act. */
export function listActiveOperators(db: Queryable): Promise<UserId[]> {
  return readValues(db, asId<UserId>, ACTIVE_OPERATORS);
}

/** Makes a user an operator. Returns false if the user already is one. */
export const insertOperator = rowChange<[userId: UserId, sinceMs: number]>(
  'INSERT INTO operators (user_id, since) VALUES (?, ?) ON CONFLICT DO NOTHING',
);

/** Revokes the operator role. Returns false if the user is not an operator. */
export const deleteOperator = deleteBy<UserId>('user_id', 'operators');
