import type { Queryable, Tx } from '../database/engine.js';
import { asText, sql } from '../database/sql.js';

/** What all servers of a database have in common: a fingerprint of their key, the id of their store of media, the
 * base URL of links, and when the last scheduled backup was made, in milliseconds. */
export type SharedFact = 'key' | 'media' | 'base-url' | 'last-backup';

/** Returns a fact; undefined until a server has recorded it. */
export async function findSharedFact(db: Queryable, name: SharedFact): Promise<string | undefined> {
  const row = await db.get(sql`SELECT value FROM shared_facts WHERE name = ${name}`);
  return row && asText(row.value);
}

/** Records a fact unless there is one. Returns the one that holds. */
export async function recordSharedFact(tx: Tx, name: SharedFact, value: string): Promise<string> {
  await tx.run(sql`
    INSERT INTO shared_facts (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`);
  return (await findSharedFact(tx, name)) ?? value;
}

/** Replaces a fact. */
export async function replaceSharedFact(tx: Tx, name: SharedFact, value: string): Promise<void> {
  await tx.run(sql`UPDATE shared_facts SET value = ${value} WHERE name = ${name}`);
}
