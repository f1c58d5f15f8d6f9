import type { ListId, PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Queryable } from '../database/engine.js';
import { asId, inBothOrders } from '../database/sql.js';
import { readValues } from '../database/table.js';
import type { TimelineOrder } from './timeline-entries.js';

/** A post and its author. */
export interface AuthoredPost {
  readonly id: PostId;
  readonly authorId: UserId;
  /** False for posts outside all timelines, such as replaced versions. */
  readonly isListed: boolean;
}

// A subquery per row, not a join: no planner can choose to scan whole tables for it.
const OF_ANYBODY = inBothOrders(
  (direction) => `SELECT p.id, p.author_id,
      (SELECT u.post_id FROM user_posts u WHERE u.user_id = p.author_id AND u.post_id = p.id) AS listed
    FROM posts p WHERE p.id > ? AND p.id <= ? ORDER BY p.id ${direction} LIMIT ?`,
);

/** Returns up to `limit` posts of any author within a range. */
export async function listPostsByAnyone(
  db: Queryable,
  { above, upTo }: KeyRange,
  order: TimelineOrder,
  limit: number,
): Promise<AuthoredPost[]> {
  const rows = await db.all(OF_ANYBODY[order](above, upTo, limit));
  return rows.map((row) => ({
    id: asId(row.id),
    authorId: asId(row.author_id),
    isListed: row.listed !== null,
  }));
}

const OF_MEMBERS = inBothOrders(
  (direction) => `SELECT u.post_id FROM list_members m CROSS JOIN user_posts u
    WHERE u.user_id = m.user_id AND m.list_id = ? AND u.post_id > ? AND u.post_id <= ?
    ORDER BY u.post_id ${direction} LIMIT ?`,
);

/** Returns up to `limit` posts and reposts of a List's members within a range. Needs one index lookup per member. */
export function listMembersPosts(
  db: Queryable,
  listId: ListId,
  { above, upTo }: KeyRange,
  order: TimelineOrder,
  limit: number,
): Promise<PostId[]> {
  return readValues(db, asId<PostId>, OF_MEMBERS[order](listId, above, upTo, limit));
}
