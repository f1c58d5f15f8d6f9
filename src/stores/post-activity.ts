import type { PostId } from '../core/ids.js';
import { firstIdAt, SNOWFLAKE_EPOCH_MS, TIME_SHIFT } from '../core/snowflake.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, list, rawSql, sql } from '../database/sql.js';

/** The table of each kind of activity, by `post_id`, and the column of its snowflakes. */
const ROWS = {
  likes: ['likes', 'edge_id'],
  replies: ['replies', 'reply_id'],
  reposts: ['reposts', 'repost_id'],
  quotes: ['quotes', 'quote_id'],
} as const;

export type Activity = keyof typeof ROWS;

export const ACTIVITIES = Object.keys(ROWS) as readonly Activity[];

/** Consecutive periods of equal length from `fromMs` on, until `toMs`. */
export interface Periods {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lengthMs: number;
}

/** Counts the activity on posts in each period that has any. */
export async function countActivity(
  db: Queryable,
  activity: Activity,
  postIds: readonly PostId[],
  { fromMs, toMs, lengthMs }: Periods,
) {
  if (postIds.length === 0) return [];
  const [table, column] = ROWS[activity];
  const [rows, id] = [rawSql(table), rawSql(column)];
  const offset = BigInt(fromMs - SNOWFLAKE_EPOCH_MS);
  const found = sql`SELECT post_id, ${id} AS id FROM ${rows}
    WHERE post_id IN ${list(postIds)} AND ${id} >= ${firstIdAt(fromMs)} AND ${id} < ${firstIdAt(toMs)}`;
  // Reposts of quotes are stored with them.
  const own =
    activity === 'quotes' ? sql`CROSS JOIN posts p WHERE p.id = a.id AND p.reposted_post_id IS NULL` : sql``;
  const counted = await db.all(sql`
    SELECT post_id, ((a.id >> ${rawSql(String(TIME_SHIFT))}) - ${offset}) / ${BigInt(lengthMs)} AS period, COUNT(*) AS n
    FROM (${found}) a ${own}
    GROUP BY 1, 2`);
  return counted.map((row) => ({
    postId: asId<PostId>(row.post_id),
    /** The number of the period, from 0. */
    period: asNumber(row.period),
    count: asNumber(row.n),
  }));
}
