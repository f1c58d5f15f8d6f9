import type { Queryable, Tx } from '../database/engine.js';
import { asBoolean, rawSql, sql } from '../database/sql.js';
import { endHolds } from './media-holds.js';

/** Holds the key to the sealed secrets in backups of former versions. */
const TABLE = rawSql('backup_key');

/** What such a backup holds besides the rows of the database. */
export interface BackupFacts {
  readonly key: Uint8Array;
  /** Whether media files are stored next to the backup. */
  readonly hasMedia: boolean;
}

/** Returns the facts of a backup. Throws Error if the database is not a backup. Older backups do not record media. */
export async function findBackupFacts(db: Queryable): Promise<BackupFacts> {
  const row = await db.get(sql`SELECT * FROM ${TABLE}`);
  if (!(row?.bytes instanceof Uint8Array)) throw new Error('the backup has no key');
  return { key: row.bytes, hasMedia: row.has_media !== undefined && asBoolean(row.has_media) };
}

/** Turns a backup into a normal database. */
export async function removeBackupFacts(tx: Tx): Promise<void> {
  // DROP TABLE alone would leave the bytes in a free page.
  await tx.run(sql`UPDATE ${TABLE} SET bytes = zeroblob(length(bytes))`);
  await tx.run(sql`DROP TABLE ${TABLE}`);
}

/** Ends what processes of another copy of the database do in it: they neither run nor share key and media with this one's. */
export async function endOtherProcesses(tx: Tx, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE snowflake_workers SET lease_until = ${nowMs} WHERE lease_until > ${nowMs}`);
  await tx.run(sql`UPDATE servers SET closed_at = ${nowMs} WHERE closed_at IS NULL`);
  await endHolds(tx);
}
