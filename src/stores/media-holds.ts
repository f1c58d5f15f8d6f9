import { randomBytes } from 'node:crypto';
import type { Queryable, Tx } from '../database/engine.js';
import { asText, sql } from '../database/sql.js';

/** Holds are among the facts that servers share: build after build knows them, and moves leave them behind. */
const PREFIX = 'media-hold-';
const ALL = sql`name LIKE ${`${PREFIX}%`}`;

/** Returns a new name for a hold. */
export function newMediaHold(): string {
  return PREFIX + randomBytes(6).toString('hex');
}

/** Keeps all servers from deleting files of media until a time, or longer if the hold was there before. */
export async function holdMedia(tx: Tx, hold: string, untilMs: number): Promise<void> {
  await tx.run(sql`INSERT INTO shared_facts (name, value) VALUES (${hold}, ${String(untilMs)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
}

/** Ends a hold. Returns false if it was not there, as after a restore. */
export async function releaseMedia(tx: Tx, hold: string): Promise<boolean> {
  return tx.runOne(sql`DELETE FROM shared_facts WHERE name = ${hold}`);
}

/** Reports whether files of media may be deleted, which no backup copies at this time. */
export async function mayDeleteFiles(db: Queryable, nowMs: number): Promise<boolean> {
  const rows = await db.all(sql`SELECT value FROM shared_facts WHERE ${ALL}`);
  return rows.every((row) => Number(asText(row.value)) <= nowMs);
}

/** Ends the holds of backups of another copy of the database. */
export async function endHolds(tx: Tx): Promise<void> {
  await tx.run(sql`DELETE FROM shared_facts WHERE ${ALL}`);
}
