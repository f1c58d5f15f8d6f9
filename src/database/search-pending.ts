import type { PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { Queryable, Tx } from './engine.js';
import type { TimeSpan } from './search.js';
import { asId, asNumber, list, sql, type Sql } from './sql.js';
import { insertRows, setQuery } from './table.js';

const EVER = { fromMs: Number.MIN_SAFE_INTEGER, beforeMs: Number.MAX_SAFE_INTEGER };

const mark = insertRows(
  'INSERT INTO search_pending (created_at, post_id, revision)',
  3,
  'ON CONFLICT (created_at, post_id) DO UPDATE SET revision = search_pending.revision + 1',
);

/**
 * Marks posts for indexing, in the transaction that creates, changes or deletes them. The revision changes each time,
 * so that a concurrent indexing of the post is repeated.
 */
export function markForSearch(tx: Tx, posts: readonly Pick<Post, 'id' | 'createdAtMs'>[]): Promise<void> {
  const rows = posts.map(({ id, createdAtMs }) => [createdAtMs, id, 0]);
  return mark(tx, rows);
}

/** Marks all reposts of the posts, whose words they share, except those indexed just now. */
export async function markRepostsForSearch(
  tx: Tx,
  postIds: readonly PostId[],
  lookedAt: readonly PostId[] = [],
): Promise<void> {
  if (postIds.length === 0) return;
  await tx.run(sql`
    INSERT INTO search_pending (created_at, post_id, revision)
    SELECT p.created_at, p.id, 0
    FROM (SELECT repost_id FROM reposts
        WHERE post_id IN ${list(postIds)} AND repost_id NOT IN ${list(lookedAt)}) r
      CROSS JOIN posts p
    WHERE p.id = r.repost_id
    ON CONFLICT (created_at, post_id) DO UPDATE SET revision = search_pending.revision + 1`);
}

/** Reports whether a post created within the times is not indexed yet. */
export async function hasSearchPending(db: Queryable, within: TimeSpan = EVER): Promise<boolean> {
  return (await db.get(pendingWithin(within))) !== undefined;
}

/** Selects a row if a post is pending, for use inside larger statements. */
export function pendingWithin({ fromMs = EVER.fromMs, beforeMs }: TimeSpan): Sql {
  return sql`SELECT 1 AS found FROM search_pending
    WHERE created_at >= ${fromMs} AND created_at < ${beforeMs} LIMIT 1`;
}

/**
 * Removes the oldest `limit` posts created within the times from the pending list and returns their ids. The same
 * transaction must index them.
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

/** Returns the ids of a range that are not indexed yet. Reads all pending posts. */
export const findPendingIds = setQuery<PostId, [above: bigint, upTo: bigint]>(
  asId,
  'SELECT post_id FROM search_pending WHERE post_id > ? AND post_id <= ?',
);
