import { SNOWFLAKE_EPOCH_MS } from '../../core/snowflake.js';
import { asNumber } from '../decode.js';
import type { Queryable } from '../queryable.js';
import type { SearchCounter } from '../search-counter.js';
import { sql } from '../sql.js';
import { queryOf } from './search-vectors.js';

/** One statement, which the server works on while this process serves others. */
export function createPostgresCounter(db: Queryable): SearchCounter {
  return {
    countByTime: async (selection, { above, upTo }, edgesMs) => {
      const counts = edgesMs.slice(1).map(() => 0);
      const edges = `{${edgesMs.map((edgeMs) => edgeMs - SNOWFLAKE_EPOCH_MS).join(',')}}`;
      const rows = await db.all(sql`
        SELECT width_bucket(post_id >> 22, CAST(${edges} AS BIGINT[])) AS period, COUNT(*) AS matches
        FROM search_posts
        WHERE terms @@ CAST(${queryOf(selection)} AS TSQUERY) AND post_id > ${above} AND post_id <= ${upTo}
        GROUP BY 1`);
      for (const row of rows) {
        const period = asNumber(row['period']) - 1;
        if (period in counts) counts[period] = asNumber(row['matches']);
      }
      return counts;
    },
  };
}
