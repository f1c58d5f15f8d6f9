import type { KeyRange } from '../../core/page.js';
import { SNOWFLAKE_EPOCH_MS } from '../../core/snowflake.js';
import type { Queryable } from '../queryable.js';
import type { SearchCounter } from '../search-counter.js';
import { asNumber, rawSql, sql, type Sql } from '../sql.js';
import {
  findPartitions,
  partitionTable,
  unionAll,
  retryOnDroppedPartition,
  type Partition,
} from './search-partitions.js';
import { queryOf } from './search-vectors.js';

/** The number of concurrent statements, each on its own core of the server, and of partitions per statement. */
const CONCURRENCY = 4;
const PARTITIONS_AT_ONCE = 8;

/** The number of newest documents sampled to estimate how common the matches are. */
const SAMPLED = 1_000;

/** If one of so many documents matches, a scan is faster than an index lookup. */
const COMMON_IN = 10;

interface Question {
  readonly query: string;
  readonly range: KeyRange;
  /** The bounds of the periods, in milliseconds since the snowflake epoch. */
  readonly edges: readonly number[];
  readonly isCommon: boolean;
}

/**
 * Counts with concurrent statements on the server. This code chooses between scan and index, because the server's
 * estimate of the number of matches is poor. Shards (citus/) always use their indexes: a sample would come from each.
 */
export function createPostgresCounter(db: Queryable, { isDistributed = false } = {}): SearchCounter {
  return {
    countByTime: async (selection, range, edgesMs) => {
      const query = queryOf(selection);
      const edges = edgesMs.map((edgeMs) => edgeMs - SNOWFLAKE_EPOCH_MS);
      const question = {
        query,
        range,
        edges,
        isCommon: !isDistributed && (await isCommonIn(db, query, range)),
      };
      return retryOnDroppedPartition(() => countPartitions(db, question));
    },
  };
}

async function isCommonIn(db: Queryable, query: string, { above, upTo }: KeyRange): Promise<boolean> {
  const row = await db.get(sql`
    SELECT COUNT(*) AS sampled, COUNT(*) FILTER (WHERE terms @@ CAST(${query} AS TSQUERY)) AS matching FROM (
      SELECT terms FROM search_posts
      WHERE post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC LIMIT ${SAMPLED}) newest`);
  return asNumber(row?.['matching']) * COMMON_IN >= asNumber(row?.['sampled']);
}

async function countPartitions(db: Queryable, question: Question): Promise<number[]> {
  const counts = question.edges.slice(1).map(() => 0);
  const left = groupsOf(await findPartitions(db, question.range));
  const work = async (): Promise<void> => {
    for (let group = left.pop(); group !== undefined; group = left.pop()) {
      const { first, edges } = edgesAround(group, question.edges);
      if (edges.length < 2) continue;
      for (const row of await db.all(countsIn(group, { ...question, edges }))) {
        const place = asNumber(row['period']);
        const period = first + place - 1;
        if (place > 0 && place < edges.length)
          counts[period] = (counts[period] ?? 0) + asNumber(row['matches']);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return counts;
}

/** Splits partitions into groups, at least one per concurrent statement if possible. */
function groupsOf(partitions: readonly Partition[]): Partition[][] {
  const size = Math.min(PARTITIONS_AT_ONCE, Math.ceil(partitions.length / CONCURRENCY));
  const groups: Partition[][] = [];
  for (let first = 0; first < partitions.length; first += size) {
    groups.push(partitions.slice(first, first + size));
  }
  return groups;
}

/**
 * Returns the edges relevant to the partitions and the index of the first one; there may be tens of thousands in all.
 */
function edgesAround(
  partitions: readonly Partition[],
  edges: readonly number[],
): { readonly first: number; readonly edges: readonly number[] } {
  const newest = partitions[0]?.endId ?? 0n;
  const oldest = partitions.at(-1)?.firstId ?? 0n;
  const [from, before] = [Number(oldest >> 22n), Number(newest >> 22n)];
  const above = edges.findIndex((edge) => edge > from);
  const first = Math.max(0, (above < 0 ? edges.length : above) - 1);
  const last = edges.findIndex((edge) => edge > before);
  return { first, edges: edges.slice(first, last < 0 ? undefined : last + 1) };
}

function countsIn(
  partitions: readonly Partition[],
  { query, range: { above, upTo }, edges, isCommon }: Question,
): Sql {
  const [matches, id] = isCommon ? READ_ALL : ASK_INDEX;
  const parts = partitions.map(
    ({ number }) => sql`
      SELECT post_id FROM ${partitionTable(number)}
      WHERE ${matches} AND ${id} > ${above} AND ${id} <= ${upTo}`,
  );
  return sql`
    WITH asked AS MATERIALIZED (SELECT CAST(${query} AS TSQUERY) AS query)
    SELECT width_bucket(post_id >> 22, CAST(${`{${edges.join(',')}}`} AS BIGINT[])) AS period, COUNT(*) AS matches
    FROM (${unionAll(parts)}) found GROUP BY 1`;
}

/** The server uses an index for a plain comparison, but not for an expression around it. */
const ASK_INDEX = [rawSql('terms @@ (SELECT query FROM asked)'), rawSql('post_id + 0')] as const;
const READ_ALL = [rawSql('(terms @@ (SELECT query FROM asked)) IS TRUE'), rawSql('post_id')] as const;
