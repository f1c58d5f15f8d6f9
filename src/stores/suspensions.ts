import type { UserId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';
import { asNumber, asText, sql } from '../database/sql.js';
import { deleteBy, rowsChange } from '../database/table.js';

/** Why and when operators suspended an account. */
export interface Suspension {
  /** May be empty. */
  readonly reason: string;
  readonly suspendedAtMs: number;
}

/** Returns the suspension of an account; undefined if there is none, or if it is older than the reasons. */
export async function findSuspension(db: Queryable, userId: UserId): Promise<Suspension | undefined> {
  const row = await db.get(sql`SELECT reason, suspended_at FROM suspensions WHERE user_id = ${userId}`);
  return row && { reason: asText(row['reason']), suspendedAtMs: asNumber(row['suspended_at']) };
}

/** Stores the suspension of an account, in place of an earlier one. */
export const putSuspension = rowsChange<[UserId, reason: string, suspendedAtMs: number]>(
  `INSERT INTO suspensions (user_id, reason, suspended_at) VALUES (?, ?, ?)
  ON CONFLICT (user_id) DO UPDATE SET reason = excluded.reason, suspended_at = excluded.suspended_at`,
);

export const deleteSuspension = deleteBy<UserId>('user_id', 'suspensions');
