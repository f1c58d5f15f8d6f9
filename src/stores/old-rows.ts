import { dayOf } from '../core/day-figures.js';
import { usageDay } from '../core/usage-period.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asNumber, rawSql, sql, type Sql } from '../database/sql.js';

/** Rows that grow in number and that nothing deletes: the table, its key, and the condition of those before a time. */
const ROWS = {
  'dead jobs': ['jobs', 'id', (beforeMs: number) => sql`free_at IS NULL AND created_at < ${beforeMs}`],
  'read notices': ['user_notices', 'id', (beforeMs: number) => sql`read_at < ${beforeMs}`],
  'usage by day': ['usage_days', 'day', (beforeMs: number) => sql`day < ${usageDay(beforeMs)}`],
  'figures by day': ['day_figures', 'day', (beforeMs: number) => sql`day < ${dayOf(beforeMs)}`],
} as const satisfies Readonly<Record<string, readonly [string, string, (beforeMs: number) => Sql]>>;

export type OldRows = keyof typeof ROWS;
export const OLD_ROWS = Object.keys(ROWS) as OldRows[];

/** Counts the rows of a kind from before a time. */
export async function countOldRows(db: Queryable, kind: OldRows, beforeMs: number): Promise<number> {
  const [table, , isOld] = ROWS[kind];
  const row = await db.get(sql`SELECT COUNT(*) AS n FROM ${rawSql(table)} WHERE ${isOld(beforeMs)}`);
  return asNumber(row?.n);
}

/** Deletes rows of a kind from before a time, those with the lowest `limit` keys. Returns the number of rows. */
export function deleteOldRows(tx: Tx, kind: OldRows, beforeMs: number, limit: number): Promise<number> {
  const [tableName, keyName, isOld] = ROWS[kind];
  const [table, key] = [rawSql(tableName), rawSql(keyName)];
  return tx.run(sql`
    DELETE FROM ${table} WHERE ${isOld(beforeMs)} AND ${key} IN (
      SELECT ${key} FROM ${table} WHERE ${isOld(beforeMs)} ORDER BY ${key} LIMIT ${limit})`);
}
