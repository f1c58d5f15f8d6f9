import type { UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalNumber, list, sql } from '../database/sql.js';
import { grouped } from './grouped.js';

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
export async function insertProtectedPeriod(
  tx: Tx,
  userId: UserId,
  { startedAtMs, endedAtMs }: ProtectedPeriod,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO protected_periods (user_id, started_at, ended_at) VALUES (${userId}, ${startedAtMs}, ${endedAtMs})
    ON CONFLICT DO NOTHING`);
}

/** Returns the recorded protected periods of the users, by id. */
export async function findProtectedPeriods(
  db: Queryable,
  userIds: readonly UserId[],
): Promise<Map<UserId, ProtectedPeriod[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.all(sql`
    SELECT user_id, started_at, ended_at FROM protected_periods WHERE user_id IN ${list(userIds)}`);
  return grouped(
    rows.map((row) => {
      const period = { startedAtMs: asNumber(row.started_at), endedAtMs: asOptionalNumber(row.ended_at) };
      return [asId<UserId>(row.user_id), period];
    }),
  );
}
