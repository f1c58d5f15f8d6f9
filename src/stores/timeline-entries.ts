import type { PostId, UserId } from '../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../core/page.js';
import type { Queryable } from '../database/engine.js';
import { asId, rawSql, sql, type Sql } from '../database/sql.js';
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

const NO_BOUND = sql``;

const ORDERED = { newest: sql`ORDER BY post_id DESC`, oldest: sql`ORDER BY post_id ASC` };

/**
 * Returns the conditions of a range, without those that every entry meets. PostgreSQL plans a statement once for all
 * values: it expects two bounds of ids to leave 0.5% of a timeline, and would compare each pending post with every followed
 * user.
 */
export function boundsOf({ above, upTo, fromMs, toMs }: TimelineRange): Sql {
  const lower = above <= EVERY_KEY.above ? NO_BOUND : sql` AND post_id > ${above}`;
  const upper = upTo >= EVERY_KEY.upTo ? NO_BOUND : sql` AND post_id <= ${upTo}`;
  const from = fromMs === undefined ? NO_BOUND : sql` AND created_at >= ${fromMs}`;
  const to = toMs === undefined ? NO_BOUND : sql` AND created_at <= ${toMs}`;
  return sql`${lower}${upper}${from}${to}`;
}

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
function timelineTable(...names: readonly TableName[]): TimelineTable {
  const tables = names.map((name, index) => ({ name: rawSql(name), part: rawSql(`part${index}`) }));
  /** Each part has its own ORDER BY and LIMIT; otherwise PostgreSQL reads and sorts all rows. */
  const listing = (userId: UserId, bounds: Sql, order: TimelineOrder, limit: number): Sql => {
    const parts = tables.map(
      ({ name, part }) => sql`SELECT post_id FROM (SELECT post_id FROM ${name}
        WHERE user_id = ${userId}${bounds} ${ORDERED[order]} LIMIT ${limit}) ${part}`,
    );
    return sql`${parts.reduce((before, part) => sql`${before} UNION ALL ${part}`)} ${ORDERED[order]}`;
  };
  return {
    list: (db, userId, range, order, limit) =>
      readValues(db, asId<PostId>, sql`${listing(userId, boundsOf(range), order, limit)} LIMIT ${limit}`),
    nthNewest: async (db, userId, depth) => {
      const row = await db.get(
        sql`${listing(userId, NO_BOUND, 'newest', depth)} LIMIT 1 OFFSET ${depth - 1}`,
      );
      return row && asId<PostId>(row.post_id);
    },
  };
}

/** The tables on which the home timeline of a user depends, beside posts: rows have the user's id. */
export const HOME_TABLES = ['home_timelines', 'large_follows', 'follows'];
