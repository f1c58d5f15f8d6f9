import type { PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Queryable } from '../database/engine.js';
import { asId, inBothOrders, statement } from '../database/sql.js';
import { readValues } from '../database/table.js';

/** A range of a timeline. Times are in milliseconds, both inclusive; absent: no bound. */
export interface TimelineRange extends KeyRange {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** `newest`: descending from the upper end. `oldest`: ascending from the lower end. */
export type TimelineOrder = 'newest' | 'oldest';

/** Reads up to `limit` ids of a user's timeline within a range, in the given order. */
type ListTimeline = (
  db: Queryable,
  userId: UserId,
  range: TimelineRange,
  order: TimelineOrder,
  limit: number,
) => Promise<PostId[]>;

/** A table of timeline entries, keyed by the timeline's user and the post. */
export interface TimelineTable {
  readonly list: ListTimeline;
  /** Returns the `depth`th newest entry, counted from 1, or undefined if the timeline is shorter. */
  nthNewest(db: Queryable, userId: UserId, depth: number): Promise<PostId | undefined>;
}

const ID_BOUNDS = ' AND post_id > ? AND post_id <= ?';
const TIME_BOUNDS = ' AND created_at >= ? AND created_at <= ?';

/** The posts of users, including reposts. */
export const userPosts = timelineTable('user_posts');

/** Posts that mention a user, without the user's own. */
export const mentions = timelineTable('mentions');

/** Posts of followed users, as far as fan-out has written them (stores/home-timelines.ts). */
export const homeEntries = timelineTable('home_entries');

/** Home entries, the user's own posts and pending fan-outs, read in one statement for a consistent snapshot. */
export const completeHomeEntries = timelineTable('home_entries', 'user_posts', 'pending_home_entries');

type TableName = 'user_posts' | 'mentions' | 'home_entries' | 'pending_home_entries';

/** Reads the entries of one table, or of several disjoint tables. */
function timelineTable(...tables: readonly TableName[]): TimelineTable {
  const untimed = inBothOrders((order) => `${listing(tables, ID_BOUNDS, order)} LIMIT ?`);
  const timed = inBothOrders((order) => `${listing(tables, ID_BOUNDS + TIME_BOUNDS, order)} LIMIT ?`);
  const nth = statement(`${listing(tables, '', 'DESC')} LIMIT 1 OFFSET ?`);
  return {
    list: (db, userId, { above, upTo, fromMs, toMs }, order, limit) => {
      // Most pages have no times, and comparing times costs more than everything else per entry.
      const isTimed = fromMs !== undefined || toMs !== undefined;
      const times = isTimed ? [fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER] : [];
      const params = tables.flatMap(() => [userId, above, upTo, ...times]);
      return readValues(db, asId<PostId>, (isTimed ? timed : untimed)[order](...params, limit));
    },
    nthNewest: async (db, userId, depth) => {
      const row = await db.get(nth(...tables.map(() => userId), depth - 1));
      return row && asId<PostId>(row.post_id);
    },
  };
}

/** Returns a list of entries. Each table has its own ORDER BY; without it PostgreSQL reads and sorts all rows. */
function listing(tables: readonly TableName[], bounds: string, order: 'ASC' | 'DESC'): string {
  const ordered = `ORDER BY post_id ${order}`;
  const parts = tables.map(
    (table, index) =>
      `SELECT post_id FROM (SELECT post_id FROM ${table} WHERE user_id = ?${bounds} ${ordered}) part${index}`,
  );
  return `${parts.join(' UNION ALL ')} ${ordered}`;
}

/** The tables on which the home timeline of a user depends, beside posts: rows have the user's id. */
export const HOME_TABLES = ['home_timelines', 'large_follows', 'follows'];
