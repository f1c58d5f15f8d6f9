import type { PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import { asId } from '../database/decode.js';
import type { Queryable } from '../database/engine.js';
import { Sql } from '../database/sql.js';

/** A stretch of a timeline. Times are milliseconds, both inclusive; absent: no bound. */
export interface TimelineRange extends KeyRange {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** `newest`: from the upper end down. `oldest`: from the lower end up. */
export type TimelineOrder = 'newest' | 'oldest';

/** Reads up to `limit` ids of a user's timeline within a range, in the order asked for. */
type ListTimeline = (
  db: Queryable,
  userId: UserId,
  range: TimelineRange,
  order: TimelineOrder,
  limit: number,
) => Promise<PostId[]>;

/** One table of timeline entries, keyed by whose timeline it is and the post. */
export interface TimelineTable {
  readonly list: ListTimeline;
  /** The `depth`th newest entry, counted from 1: where a timeline of that length ends. Undefined when it is shorter. */
  nthNewest(db: Queryable, userId: UserId, depth: number): Promise<PostId | undefined>;
}

const ID_BOUNDS = [' AND post_id > ', ' AND post_id <= '];
const TIME_BOUNDS = [' AND created_at >= ', ' AND created_at <= '];

/** What users posted, reposts included. */
export const userPosts = timelineTable('user_posts');

/** Posts in which a user is mentioned, without the user's own. */
export const mentions = timelineTable('mentions');

/** Posts of followed users, as far as they were written out (stores/home-timelines.ts). */
export const homeEntries = timelineTable('home_entries');

/** The same with the user's own and those that are still to be written out: one statement, so that all are of one moment. */
export const wholeHomeEntries = timelineTable('home_entries', 'user_posts', 'pending_home_entries');

type TableName = 'user_posts' | 'mentions' | 'home_entries' | 'pending_home_entries';

/** Entries of one table, or of several that have none in common. */
function timelineTable(...tables: readonly TableName[]): TimelineTable {
  const statements = (bounds: readonly string[]) => ({
    newest: listing(tables, bounds, 'DESC', 'LIMIT '),
    oldest: listing(tables, bounds, 'ASC', 'LIMIT '),
  });
  const [untimed, timed] = [statements(ID_BOUNDS), statements([...ID_BOUNDS, ...TIME_BOUNDS])];
  const nth = listing(tables, [], 'DESC', 'LIMIT 1 OFFSET ');
  return {
    list: async (db, userId, { above, upTo, fromMs, toMs }, order, limit) => {
      // Most pages have no times, and looking at these takes longer than all else about an entry.
      const isTimed = fromMs !== undefined || toMs !== undefined;
      const times = isTimed ? [fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER] : [];
      const params = tables.flatMap(() => [userId, above, upTo, ...times]);
      const statement = (isTimed ? timed : untimed)[order];
      return (await db.all(new Sql(statement, [...params, limit]))).map((row) => asId<PostId>(row.post_id));
    },
    nthNewest: async (db, userId, depth) => {
      const row = await db.get(new Sql(nth, [...tables.map(() => userId), depth - 1]));
      return row && asId<PostId>(row.post_id);
    },
  };
}

/**
 * The parts of a statement, with a place for a parameter behind each but the last; frozen, so that engines know it by
 * identity. Each table is ordered by itself, or PostgreSQL reads and sorts all of them.
 */
function listing(
  tables: readonly TableName[],
  bounds: readonly string[],
  order: 'ASC' | 'DESC',
  limit: string,
): readonly string[] {
  const ordered = ` ORDER BY post_id ${order}`;
  const selects = tables.flatMap((table, index) => [
    `${index === 0 ? '' : `${ordered}) part${index} UNION ALL `}SELECT post_id FROM (SELECT post_id FROM ${table} WHERE user_id = `,
    ...bounds,
  ]);
  return Object.freeze([...selects, `${ordered}) part${tables.length}${ordered} ${limit}`, '']);
}
