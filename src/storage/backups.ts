import type { Queryable, Tx } from './engine.js';
import { rawSql, sql } from './sql.js';

/** The key that opens a backup's sealed secrets travels in a table of its own. */
const TABLE = rawSql('backup_key');

/** Puts the key into a copy of the database. */
export async function putBackupKey(tx: Tx, key: Uint8Array): Promise<void> {
  await tx.run(sql`CREATE TABLE ${TABLE} (bytes BLOB NOT NULL)`);
  await tx.run(sql`INSERT INTO ${TABLE} (bytes) VALUES (${key})`);
}

/** The key of a backup. Throws Error in a database that is none. */
export async function findBackupKey(db: Queryable): Promise<Uint8Array> {
  const row = await db.get(sql`SELECT bytes FROM ${TABLE}`);
  if (row?.bytes instanceof Uint8Array) return row.bytes;
  throw new Error('the backup holds no key');
}

/** Makes a backup a database again. */
export async function removeBackupKey(tx: Tx): Promise<void> {
  // Dropping alone would leave the bytes in a free page.
  await tx.run(sql`UPDATE ${TABLE} SET bytes = zeroblob(length(bytes))`);
  await tx.run(sql`DROP TABLE ${TABLE}`);
}

/** True while a process has a worker id: it uses the database, or was killed a short time ago. */
export async function hasLease(db: Queryable, nowMs: number): Promise<boolean> {
  const row = await db.get(
    sql`SELECT 1 AS found FROM snowflake_workers WHERE lease_until > ${nowMs} LIMIT 1`,
  );
  return row !== undefined;
}

/** Ends the leases of processes that work on another copy of the database. */
export async function endLeases(tx: Tx, nowMs: number): Promise<void> {
  await tx.run(sql`UPDATE snowflake_workers SET lease_until = ${nowMs} WHERE lease_until > ${nowMs}`);
}
