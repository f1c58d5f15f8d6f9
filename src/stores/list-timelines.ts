import type { ListId, PostId, UserId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Queryable } from '../database/engine.js';
import { asBoolean, asId, inBothOrders } from '../database/sql.js';
import { readValues } from '../database/table.js';
import type { TimelineOrder } from './timeline-entries.js';

// Both parts scan the same few posts: where posts and lists of users are on different servers, a subquery for each
// post cannot ask for its list.
const OF_ANYBODY = inBothOrders((direction) => {
  const scanned = `SELECT id, author_id FROM posts WHERE id > ? AND id <= ? ORDER BY id ${direction} LIMIT ?`;
  return `SELECT id, author_id, 0 AS listed FROM (${scanned}) scanned
    UNION ALL
    SELECT u.post_id, u.user_id, 1 FROM (${scanned}) p CROSS JOIN user_posts u
    WHERE u.user_id = p.author_id AND u.post_id = p.id
    ORDER BY id ${direction}`;
});

/**
 * Returns up to `limit` posts of any author within a range. Those outside all timelines, such as replaced versions, are
 * not `isListed`.
 */
export async function listPostsByAnyone(
  db: Queryable,
  { above, upTo }: KeyRange,
  order: TimelineOrder,
  limit: number,
) {
  const rows = await db.all(OF_ANYBODY[order](above, upTo, limit, above, upTo, limit));
  const listed = new Set(rows.flatMap((row) => (asBoolean(row.listed) ? [asId<PostId>(row.id)] : [])));
  return rows.flatMap((row) => {
    const id = asId<PostId>(row.id);
    return asBoolean(row.listed)
      ? []
      : [{ id, authorId: asId<UserId>(row.author_id), isListed: listed.has(id) }];
  });
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
