import type { Queryable, Tx } from '../database/engine.js';
import { asBoolean, asId, list, rawSql, sql } from '../database/sql.js';

/** Holds the key to the sealed secrets of a backup. The table keeps its original name. */
const TABLE = rawSql('backup_key');

/** What a backup holds besides the rows of the database. */
export interface BackupFacts {
  readonly key: Uint8Array;
  /** Whether media files are stored next to the backup. */
  readonly hasMedia: boolean;
}

/** Turns a copy of the database into a backup. */
export async function putBackupFacts(tx: Tx, { key, hasMedia }: BackupFacts): Promise<void> {
  await tx.run(sql`CREATE TABLE ${TABLE} (bytes BLOB NOT NULL, has_media INTEGER NOT NULL)`);
  await tx.run(sql`INSERT INTO ${TABLE} (bytes, has_media) VALUES (${key}, ${hasMedia})`);
}

/** Returns the facts of a backup. Throws Error if the database is not a backup. Older backups do not record media. */
export async function findBackupFacts(db: Queryable): Promise<BackupFacts> {
  const row = await db.get(sql`SELECT * FROM ${TABLE}`);
  if (!(row?.bytes instanceof Uint8Array)) throw new Error('the backup has no key');
  return { key: row.bytes, hasMedia: row.has_media !== undefined && asBoolean(row.has_media) };
}

/** Returns the ids that belong to media or uploads. */
export async function findMediaIds(db: Queryable, ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(sql`
    SELECT id FROM media WHERE id IN ${list(ids)}
    UNION SELECT media_id FROM media_uploads WHERE media_id IN ${list(ids)}`);
  return rows.map((row) => asId(row.id));
}

/** Turns a backup into a normal database. */
export async function removeBackupFacts(tx: Tx): Promise<void> {
  // DROP TABLE alone would leave the bytes in a free page.
  await tx.run(sql`UPDATE ${TABLE} SET bytes = zeroblob(length(bytes))`);
  await tx.run(sql`DROP TABLE ${TABLE}`);
}

/** Expires the leases of processes that work on another copy of the database. */
export async function endLeases(tx: Tx, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE snowflake_workers SET lease_until = ${nowMs} WHERE lease_until > ${nowMs}`);
}

/** Ends the servers of another copy of the database, which do not share their key and media with this one's. */
export async function endServers(tx: Tx, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE servers SET closed_at = ${nowMs} WHERE closed_at IS NULL`);
}
