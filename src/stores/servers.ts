import type { ServerId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asNumber, asText, sql } from '../database/sql.js';
import { rowChange, rowsQuery } from '../database/table.js';

/** A process that counts requests. */
export interface Server {
  readonly id: ServerId;
  /** The workers of one start share a group: they exchange counts over their channel, not the database. */
  readonly groupId: string;
}

/** A server as seen by the others. */
export interface SeenServer {
  readonly id: ServerId;
  readonly seenAtMs: number;
  /** The number of its last tally; 0 if it has sent none. */
  readonly lastTally: number;
  /** True if it ended after sending all its tallies. */
  readonly isClosed: boolean;
}

/** A tally that a server sent. A server numbers its tallies from 1. */
export interface StoredTally {
  readonly number: number;
  readonly tally: string;
}

/** Records that a server is alive, and the number of its last tally. */
export async function markServer(
  tx: Tx,
  { id, groupId }: Server,
  { seenAtMs, lastTally }: Pick<SeenServer, 'seenAtMs' | 'lastTally'>,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO servers (id, crew, seen_at, last_tally) VALUES (${id}, ${groupId}, ${seenAtMs}, ${lastTally})
    ON CONFLICT (id) DO UPDATE SET seen_at = ${seenAtMs}, last_tally = ${lastTally}`);
}

/** Records that a server ended after sending all its tallies. */
export async function closeServer(tx: Tx, { id }: Server, closedAtMs: number): Promise<void> {
  await tx.run(sql`UPDATE servers SET closed_at = ${closedAtMs} WHERE id = ${id}`);
}

/** Stores a server's tally. `markServer` in the same transaction publishes it. */
export const insertTally = rowChange<[ServerId, number: number, sentAtMs: number, tally: string]>(
  'INSERT INTO server_tallies (server_id, number, told_at, tally) VALUES (?, ?, ?, ?)',
);

/** Returns the servers of other groups, including ended servers that are not deleted yet. */
export const listOtherServers = rowsQuery<SeenServer, [groupId: string]>(
  (row) => ({
    id: asId(row.id),
    seenAtMs: asNumber(row.seen_at),
    lastTally: asNumber(row.last_tally),
    isClosed: row.closed_at !== null,
  }),
  'SELECT id, seen_at, last_tally, closed_at FROM servers WHERE crew <> ?',
);

/** Returns up to `limit` tallies of a server with numbers above `afterNumber`, in order. */
export const listTallies = rowsQuery<StoredTally, [ServerId, afterNumber: number, limit: number]>(
  (row) => ({ number: asNumber(row.number), tally: asText(row.tally) }),
  'SELECT number, tally FROM server_tallies WHERE server_id = ? AND number > ? ORDER BY number LIMIT ?',
);

/** Deletes tallies sent before `beforeMs` and servers not seen since. */
export async function forgetServers(tx: Tx, beforeMs: number): Promise<void> {
  await tx.run(sql`DELETE FROM server_tallies WHERE told_at < ${beforeMs}`);
  await tx.run(sql`DELETE FROM servers WHERE seen_at < ${beforeMs}`);
}
