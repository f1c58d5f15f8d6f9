import type { ServerId } from '../core/ids.js';
import { asId, asNumber, asText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** A process that counts requests. */
export interface Server {
  readonly id: ServerId;
  /** Those of one crew count together without telling each other: the workers of one start. */
  readonly crew: string;
}

/** A server as the others see it. */
export interface SeenServer {
  readonly id: ServerId;
  readonly seenAtMs: number;
  /** The number of what it told last; 0 when it told nothing yet. */
  readonly lastTally: number;
  /** It ended, having told everything. */
  readonly isClosed: boolean;
}

/** What a server told. Its tallies are numbered from 1, in the order of telling. */
export interface StoredTally {
  readonly number: number;
  readonly tally: string;
}

/** Says that a server is there, and which of its tallies is the last. */
export async function markServer(
  tx: Tx,
  { id, crew }: Server,
  { seenAtMs, lastTally }: Pick<SeenServer, 'seenAtMs' | 'lastTally'>,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO servers (id, crew, seen_at, last_tally) VALUES (${id}, ${crew}, ${seenAtMs}, ${lastTally})
    ON CONFLICT (id) DO UPDATE SET seen_at = ${seenAtMs}, last_tally = ${lastTally}`);
}

/** Says that a server has ended and told everything. */
export async function closeServer(tx: Tx, { id }: Server, closedAtMs: number): Promise<void> {
  await tx.run(sql`UPDATE servers SET closed_at = ${closedAtMs} WHERE id = ${id}`);
}

/** Stores what a server tells; `markServer` in the same transaction makes it known. */
export async function insertTally(
  tx: Tx,
  id: ServerId,
  { number, tally }: StoredTally,
  toldAtMs: number,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO server_tallies (server_id, number, told_at, tally)
    VALUES (${id}, ${number}, ${toldAtMs}, ${tally})`);
}

/** The servers of other crews, also those that are gone and not forgotten yet. */
export async function listOtherServers(db: Queryable, crew: string): Promise<SeenServer[]> {
  const rows = await db.all(
    sql`SELECT id, seen_at, last_tally, closed_at FROM servers WHERE crew <> ${crew}`,
  );
  return rows.map((row) => ({
    id: asId(row.id),
    seenAtMs: asNumber(row.seen_at),
    lastTally: asNumber(row.last_tally),
    isClosed: row.closed_at !== null,
  }));
}

/** Up to `limit` of a server's tallies behind a number, in order. */
export async function listTallies(
  db: Queryable,
  id: ServerId,
  afterNumber: number,
  limit: number,
): Promise<StoredTally[]> {
  const rows = await db.all(sql`
    SELECT number, tally FROM server_tallies WHERE server_id = ${id} AND number > ${afterNumber}
    ORDER BY number LIMIT ${limit}`);
  return rows.map((row) => ({ number: asNumber(row.number), tally: asText(row.tally) }));
}

/** Forgets what was told before a time, and the servers that were not seen since. */
export async function forgetServers(tx: Tx, beforeMs: number): Promise<void> {
  await tx.run(sql`DELETE FROM server_tallies WHERE told_at < ${beforeMs}`);
  await tx.run(sql`DELETE FROM servers WHERE seen_at < ${beforeMs}`);
}
