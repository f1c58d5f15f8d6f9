import { decodeEvents } from '../core/feed-event.js';
import { FeedExpired, type FeedEntry, type FeedPage } from './feed.js';
import type { Queryable, Row, Tx } from './queryable.js';
import { asId, asNumber, asOptionalText, sql } from './sql.js';
import { ANY_CHANGES } from './watchers.js';

/**
 * Reads and prunes the table `change_feed`. Each engine appends to it in a way that makes its rows visible in the
 * order of their positions. It is never empty: migration 33 adds the first row, and pruning keeps the newest.
 */

/** Returns the newest position. */
export async function newestPosition(db: Queryable): Promise<bigint> {
  const row = await db.get(sql`SELECT MAX(position) AS newest FROM change_feed`);
  return asId<bigint>(row?.['newest']);
}

/**
 * Returns up to `limit` rows after a position. Positions that were handed out are those of rows, so a missing row was
 * pruned, or belongs to a database that was replaced by an older backup: throws FeedExpired.
 */
export async function readFeed(db: Queryable, after: bigint, limit: number): Promise<FeedPage> {
  const [first, ...rows] = await db.all(sql`
    SELECT position, created_at, events FROM change_feed WHERE position >= ${after}
    ORDER BY position LIMIT ${limit + 1}`);
  if (first === undefined || asId<bigint>(first['position']) !== after) throw new FeedExpired(after);
  return {
    entries: rows.flatMap(entryOf),
    position: asId<bigint>((rows.at(-1) ?? first)['position']),
    isFull: rows.length === limit,
  };
}

/** Only caches need a row without events. */
function entryOf(row: Row): readonly FeedEntry[] {
  const events = asOptionalText(row['events']);
  if (events === undefined) return [];
  const [position, atMs] = [asId<bigint>(row['position']), asNumber(row['created_at'])];
  return [{ position, atMs, events: decodeEvents(events) }];
}

/**
 * Returns the position of the last row before a time, or else of the oldest row. Rows have no index by time, which
 * every write would pay for: times grow with positions, up to the difference of the processes' clocks.
 */
export async function findPositionAt(db: Queryable, timeMs: number): Promise<bigint> {
  const oldest = await db.get(sql`SELECT position FROM change_feed ORDER BY position LIMIT 1`);
  let found = asId<bigint>(oldest?.['position']);
  let last = await newestPosition(db);
  while (found < last) {
    const middle = (found + last + 1n) / 2n;
    const row = await db.get(sql`
      SELECT position, created_at FROM change_feed WHERE position >= ${middle} ORDER BY position LIMIT 1`);
    const position = asId<bigint>(row?.['position'] ?? last + 1n);
    if (position <= last && asNumber(row?.['created_at']) < timeMs) found = position;
    else last = middle - 1n;
  }
  return found;
}

/** Some of the entries from before a time: up to `limit` of them, from a position on. */
export interface OldEntries {
  readonly from: bigint;
  readonly limit: number;
  readonly beforeMs: number;
}

/** Returns the last of these entries, and whether others may follow; undefined if there are none. */
async function findLastOld(db: Queryable, { from, limit, beforeMs }: OldEntries) {
  const rows = await db.all(sql`
    SELECT position, created_at FROM change_feed WHERE position >= ${from} ORDER BY position LIMIT ${limit}`);
  const young = rows.findIndex((row) => asNumber(row['created_at']) >= beforeMs);
  const last = rows[(young === -1 ? rows.length : young) - 1];
  if (last === undefined) return undefined;
  return { position: asId<bigint>(last['position']), hasMore: young === -1 && rows.length === limit };
}

/**
 * Removes the new rows that old entries hold for caches (`encodeChanges`), since they have texts of posts, which may be
 * deleted meanwhile. A process that reads such an entry so late discards its caches. Returns where to continue, or
 * undefined at the end.
 */
export async function forgetNewRows(tx: Tx, entries: OldEntries): Promise<bigint | undefined> {
  const last = await findLastOld(tx, entries);
  if (!last) return undefined;
  await tx.run(sql`
    UPDATE change_feed SET changes = ${ANY_CHANGES}
    WHERE position >= ${entries.from} AND position <= ${last.position} AND changes LIKE ${'%"stored"%'}`);
  return last.hasMore ? last.position + 1n : undefined;
}

/**
 * Deletes old entries, except the last of them: the position of a reader that has read everything up to then. Returns
 * where to continue, or undefined at the end.
 */
export async function pruneFeed(tx: Tx, entries: OldEntries): Promise<bigint | undefined> {
  const last = await findLastOld(tx, entries);
  if (!last) return undefined;
  const { from } = entries;
  await tx.run(sql`DELETE FROM change_feed WHERE position >= ${from} AND position < ${last.position}`);
  return last.hasMore && last.position > from ? last.position : undefined;
}
