import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalNumber, sql } from '../database/sql.js';
import { groupQuery, rowChange } from '../database/table.js';

/** A period in which an account was protected; without an end it is still protected. */
export interface ProtectedPeriod {
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
}

/** Starts a protected period. Does nothing if the account is already protected. */
export async function startProtectedPeriod(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  const open = await tx.get(sql`
    SELECT 1 AS found FROM protected_periods WHERE user_id = ${userId} AND ended_at IS NULL`);
  if (open !== undefined) return;
  await tx.run(sql`
    INSERT INTO protected_periods (user_id, started_at) VALUES (${userId}, ${nowMs}) ON CONFLICT DO NOTHING`);
}

/** Ends the protected period. Without a recorded start, the account counts as protected since its creation. */
export async function endProtectedPeriod(tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  const ended = await tx.run(sql`
    UPDATE protected_periods SET ended_at = ${nowMs} WHERE user_id = ${userId} AND ended_at IS NULL`);
  if (ended > 0) return;
  await tx.run(sql`
    INSERT INTO protected_periods (user_id, started_at, ended_at) VALUES (${userId}, 0, ${nowMs})
    ON CONFLICT DO NOTHING`);
}

/** Records a protected period. */
export const insertProtectedPeriod = rowChange<[UserId, startedAtMs: number, endedAtMs: number | undefined]>(
  `INSERT INTO protected_periods (user_id, started_at, ended_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
);

/** Returns the recorded protected periods of the users, by id. */
export const findProtectedPeriods = groupQuery<UserId, ProtectedPeriod, [readonly UserId[]]>(
  (row) => [
    asId(row.user_id),
    { startedAtMs: asNumber(row.started_at), endedAtMs: asOptionalNumber(row.ended_at) },
  ],
  'SELECT user_id, started_at, ended_at FROM protected_periods WHERE user_id IN ?',
);
