import type { PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import { asId, asNumber } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import type { TimeSpan } from './search.js';
import { list, sql, type Sql } from './sql.js';

const EVER = { fromMs: Number.MIN_SAFE_INTEGER, beforeMs: Number.MAX_SAFE_INTEGER };

/**
 * Notes that the search index has to look at a post again, in the transaction that made, changed or removed it. The row
 * changes each time, so that whoever looks at this moment looks once more.
 */
export async function markForSearch(tx: Tx, post: Pick<Post, 'id' | 'createdAtMs'>): Promise<void> {
  await tx.run(sql`
    INSERT INTO search_pending (created_at, post_id, revision) VALUES (${post.createdAtMs}, ${post.id}, 0)
    ON CONFLICT (created_at, post_id) DO UPDATE SET revision = search_pending.revision + 1`);
}

/** Notes the same of all reposts of the posts but those that were looked at just now: their words are these posts'. */
export async function markRepostsForSearch(
  tx: Tx,
  postIds: readonly PostId[],
  lookedAt: readonly PostId[] = [],
): Promise<void> {
  if (postIds.length === 0) return;
  await tx.run(sql`
    INSERT INTO search_pending (created_at, post_id, revision)
    SELECT p.created_at, p.id, 0 FROM reposts r JOIN posts p ON p.id = r.repost_id
    WHERE r.post_id IN ${list(postIds)} AND r.repost_id NOT IN ${list(lookedAt)}
    ON CONFLICT (created_at, post_id) DO UPDATE SET revision = search_pending.revision + 1`);
}

/** Returns true when the index has yet to look at a post that was made within the times. */
export async function hasSearchPending(db: Queryable, within: TimeSpan = EVER): Promise<boolean> {
  return (await db.get(pendingWithin(within))) !== undefined;
}

/** A row, or none: for statements that ask more at the same moment. */
export function pendingWithin({ fromMs = EVER.fromMs, beforeMs }: TimeSpan): Sql {
  return sql`SELECT 1 AS found FROM search_pending
    WHERE created_at >= ${fromMs} AND created_at < ${beforeMs} LIMIT 1`;
}

/**
 * Takes the oldest `limit` posts that were made within the times off the list, for a transaction that puts them into the
 * index; their ids.
 */
export async function takeSearchPending(
  tx: Tx,
  limit: number,
  { fromMs = EVER.fromMs, beforeMs }: TimeSpan = EVER,
): Promise<PostId[]> {
  const rows = await tx.all(sql`
    SELECT created_at, post_id FROM search_pending
    WHERE created_at >= ${fromMs} AND created_at < ${beforeMs} ORDER BY created_at, post_id LIMIT ${limit}`);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ids = rows.map((row) => asId<PostId>(row.post_id));
  await tx.run(sql`
    DELETE FROM search_pending
    WHERE created_at >= ${asNumber(first.created_at)} AND created_at <= ${asNumber(last.created_at)}
      AND post_id IN ${list(ids)}`);
  return ids;
}
