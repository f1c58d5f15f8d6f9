import type { Queryable, Tx } from '../../src/database/engine.js';
import type { Migration } from '../../src/database/migrations/migration.js';
import { asNumber, asText, sql } from '../../src/database/sql.js';

/** A small schema for tests of the engine. */
export const notesMigration: Migration = {
  version: 1,
  name: 'notes',
  statements: (ddl) => [
    `CREATE TABLE notes (id ${ddl.idKey}, text TEXT NOT NULL)`,
    `CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)${ddl.clustered}`,
    // The feed of SQLite is not tested with this schema.
    ...(ddl.changeFeed[55].length > 0 ? Object.values(ddl.changeFeed).flat() : []),
  ],
};

export const NOTES: readonly Migration[] = [notesMigration];

export function insertNote(tx: Tx, id: bigint, text = 'note'): Promise<number> {
  return tx.run(sql`INSERT INTO notes (id, text) VALUES (${id}, ${text})`);
}

export async function countNotes(db: Queryable): Promise<number> {
  return asNumber((await db.get(sql`SELECT COUNT(*) AS n FROM notes`))?.['n']);
}

export async function textOfNote(db: Queryable, id: bigint): Promise<string | undefined> {
  const row = await db.get(sql`SELECT text FROM notes WHERE id = ${id}`);
  return row && asText(row['text']);
}

/** Reads, then writes: loses increments unless transactions are isolated. */
export async function increment(tx: Tx, name: string): Promise<void> {
  const row = await tx.get(sql`SELECT value FROM counters WHERE name = ${name}`);
  const value = row ? asNumber(row['value']) : 0;
  await tx.run(sql`INSERT INTO counters (name, value) VALUES (${name}, ${value + 1})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
}

export async function counterValue(db: Queryable, name: string): Promise<number> {
  return asNumber((await db.get(sql`SELECT value FROM counters WHERE name = ${name}`))?.['value']);
}
