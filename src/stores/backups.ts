import { asBoolean, asId } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, rawSql, sql } from '../database/sql.js';

/** The key that opens a backup's sealed secrets travels in a table of its own, which keeps its first name. */
const TABLE = rawSql('backup_key');

/** What travels in a backup beside the rows of the database. */
export interface BackupFacts {
  readonly key: Uint8Array;
  /** Files of media lie beside the backup. */
  readonly hasMedia: boolean;
}

/** Makes a copy of the database a backup. */
export async function putBackupFacts(tx: Tx, { key, hasMedia }: BackupFacts): Promise<void> {
  await tx.run(sql`CREATE TABLE ${TABLE} (bytes BLOB NOT NULL, has_media INTEGER NOT NULL)`);
  await tx.run(sql`INSERT INTO ${TABLE} (bytes, has_media) VALUES (${key}, ${hasMedia})`);
}

/** Throws Error in a database that is no backup. Older backups know of no media. */
export async function findBackupFacts(db: Queryable): Promise<BackupFacts> {
  const row = await db.get(sql`SELECT * FROM ${TABLE}`);
  if (!(row?.bytes instanceof Uint8Array)) throw new Error('the backup holds no key');
  return { key: row.bytes, hasMedia: row.has_media !== undefined && asBoolean(row.has_media) };
}

/** Those of the ids that media or uploads have. */
export async function findMediaIds(db: Queryable, ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(sql`
    SELECT id FROM media WHERE id IN ${list(ids)}
    UNION SELECT media_id FROM media_uploads WHERE media_id IN ${list(ids)}`);
  return rows.map((row) => asId(row.id));
}

/** Makes a backup a database again. */
export async function removeBackupFacts(tx: Tx): Promise<void> {
  // Dropping alone would leave the bytes in a free page.
  await tx.run(sql`UPDATE ${TABLE} SET bytes = zeroblob(length(bytes))`);
  await tx.run(sql`DROP TABLE ${TABLE}`);
}

/** Ends the leases of processes that work on another copy of the database. */
export async function endLeases(tx: Tx, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE snowflake_workers SET lease_until = ${nowMs} WHERE lease_until > ${nowMs}`);
}
