import type { PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import { asId } from './decode.js';
import type { Queryable } from './engine.js';
import { Sql } from './sql.js';

/** A stretch of a timeline. Times are milliseconds, both inclusive; absent: no bound. */
export interface TimelineRange extends KeyRange {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** `newest`: from the upper end down. `oldest`: from the lower end up. */
export type TimelineOrder = 'newest' | 'oldest';

/** Reads up to `limit` ids of a user's timeline within a range, in the order asked for. */
export type ListTimeline = (
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

/** What users posted, reposts included. */
export const userPosts = timelineTable('user_posts');

/** Posts in which a user is mentioned, without the user's own. */
export const mentions = timelineTable('mentions');

/** Posts of followed users, as far as they were written out (storage/home-timelines.ts). */
export const homeEntries = timelineTable('home_entries');

function timelineTable(table: 'user_posts' | 'mentions' | 'home_entries'): TimelineTable {
  // Frozen, so that engines know the statements by identity (storage/sql.ts).
  const start = `SELECT post_id FROM ${table} WHERE user_id = `;
  const parts = (order: string) =>
    Object.freeze([
      start,
      ' AND post_id > ',
      ' AND post_id <= ',
      ' AND created_at >= ',
      ' AND created_at <= ',
      ` ORDER BY post_id ${order} LIMIT `,
      '',
    ]);
  const statements = { newest: parts('DESC'), oldest: parts('ASC') };
  const nth = Object.freeze([start, ' ORDER BY post_id DESC LIMIT 1 OFFSET ', '']);
  return {
    list: async (db, userId, range, order, limit) => {
      const { above, upTo, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = range;
      const params = [userId, above, upTo, fromMs, toMs, limit];
      return (await db.all(new Sql(statements[order], params))).map((row) => asId<PostId>(row.post_id));
    },
    nthNewest: async (db, userId, depth) => {
      const row = await db.get(new Sql(nth, [userId, depth - 1]));
      return row && asId<PostId>(row.post_id);
    },
  };
}
