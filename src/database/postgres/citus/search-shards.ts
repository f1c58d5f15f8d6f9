import type { PostId } from '../../../core/ids.js';
import type { KeyRange } from '../../../core/page.js';
import { findPartitions, partitionTable } from '../search-partitions.js';
import type { Queryable } from '../../queryable.js';
import { hasSearchPending } from '../../search-pending.js';
import type { TimeSpan } from '../../search.js';
import { asId, sql } from '../../sql.js';

interface Wanted {
  readonly query: string;
  readonly range: KeyRange;
  readonly limit: number;
  /** The index must contain all posts of these times. */
  readonly within: TimeSpan;
}

/**
 * Finds a page in an index whose documents are on shards: asks all shards in parallel for their newest matches in one
 * partition after the other, newest first, until the page is full. `+ 0` hides the ids from the planner of the shard,
 * which would walk the primary key for a rare word. Returns undefined if posts of `within` are not indexed yet.
 */
export async function askShards(
  db: Queryable,
  { query, range, limit, within }: Wanted,
): Promise<PostId[] | undefined> {
  if (await hasSearchPending(db, within)) return undefined;
  const found: PostId[] = [];
  for (const { number } of await findPartitions(db, range)) {
    if (found.length >= limit) break;
    const rows = await db.all(sql`
      SELECT post_id FROM ${partitionTable(number)}
      WHERE terms @@ CAST(${query} AS TSQUERY) AND post_id + 0 > ${range.above} AND post_id + 0 <= ${range.upTo}
      ORDER BY post_id + 0 DESC LIMIT ${limit - found.length}`);
    found.push(...rows.map((row) => asId<PostId>(row['post_id'])));
  }
  return found;
}
