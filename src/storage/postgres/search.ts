import type { PostId } from '../../core/ids.js';
import type { KeyRange } from '../../core/page.js';
import { asId } from '../decode.js';
import type { Queryable, Tx } from '../queryable.js';
import type { SearchDocument, SearchIndex } from '../search.js';
import { list, sql, type Sql } from '../sql.js';
import {
  dropPartitions,
  findPartitions,
  makeNextPartition,
  makePartitions,
  PARTITIONS_DDL,
  type Partition,
  partitionTable,
  united,
  whileTablesStand,
} from './search-partitions.js';
import { hasPhrase, queryOf, vectorOf } from './search-vectors.js';

/** Documents as tsvectors under GIN, in partitions by id range. */
export const POSTGRES_SEARCH_DDL: readonly string[] = PARTITIONS_DDL;

/**
 * So many newest documents are looked at one by one before the index is asked: a page of a common word is among them.
 * Where a part of the page was, so many more will do; phrases are worth walking longer, as the index knows their words
 * only, and each post with these has to be read.
 */
const WALKED_DOCUMENTS = 1_000;
const WALKED_ON = { words: 4_000, phrases: 10_000 };
const PART_TO_WALK_ON = { words: 4, phrases: 10 };

/**
 * So many partitions are asked in one statement, from the newest on, and so many times as many in the next while the
 * page is not full: what is not rare takes a short statement, what is rare (none of the walked matched) few of them.
 */
const PARTITIONS_FIRST = { common: 2, rare: 64 };
const GROUP_GROWTH = 32;

/**
 * A page is looked for in two ways, and which one is tried is decided here, not by the server's guess at how common a
 * word is. The newest documents of the range are walked, a bounded number of them: that finds what is common. What is
 * left of the page comes from the GIN indexes of the partitions, newest first until it is full: those find all matches
 * of a partition whatever their number, so partitions are kept small.
 */
export const postgresSearch: SearchIndex = {
  put: async (tx, documents) => {
    const sorted = [...documents].sort((one, other) => (one.id < other.id ? -1 : 1));
    const newest = sorted.at(-1);
    if (!newest) return;
    if ((await putWhereRoom(tx, sorted)) < sorted.length) {
      await makePartitions(
        tx,
        sorted.map(({ id }) => id),
      );
      await putWhereRoom(tx, sorted);
    }
    await makeNextPartition(tx, newest.id);
  },
  remove: async (tx, ids) => {
    if (ids.length > 0) await tx.run(sql`DELETE FROM search_posts WHERE post_id IN ${list(ids)}`);
  },
  page: async (db, selection, range, limit) => {
    const query = queryOf(selection);
    const found = await walkNewest(db, query, range, limit, WALKED_DOCUMENTS);
    const what = hasPhrase(query) ? 'phrases' : 'words';
    if (found.length < limit && found.length * PART_TO_WALK_ON[what] >= limit) {
      const left = below(range, found);
      found.push(...(await walkNewest(db, query, left, limit - found.length, WALKED_ON[what])));
    }
    if (found.length >= limit) return found;
    const rest = below(range, found);
    const asked = {
      query,
      limit: limit - found.length,
      kind: found.length === 0 ? 'rare' : 'common',
    } as const;
    return [...found, ...(await whileTablesStand(() => askIndexes(db, asked, rest)))];
  },
  // Autovacuum does it.
  tidy: () => Promise.resolve(false),
  clear: dropPartitions,
};

/** Puts in the documents for whose ids there is a partition; how many these are. */
function putWhereRoom(tx: Tx, documents: readonly SearchDocument[]): Promise<number> {
  const rows = documents.map((document) => ({ id: String(document.id), terms: vectorOf(document) }));
  return tx.run(sql`
    INSERT INTO search_posts (post_id, terms)
    SELECT id, CAST(terms AS TSVECTOR)
    FROM json_to_recordset(CAST(${JSON.stringify(rows)} AS JSON)) AS document(id BIGINT, terms TEXT)
    WHERE EXISTS (SELECT 1 FROM search_partitions WHERE first_id <= id AND id <= last_id)
    ON CONFLICT (post_id) DO UPDATE SET terms = excluded.terms`);
}

/** What is left of a range when its newest matches are found. */
function below(range: KeyRange, found: readonly PostId[]): KeyRange {
  const lowest = found.at(-1);
  return lowest === undefined ? range : { ...range, upTo: lowest - 1n };
}

/** The matches among the newest documents of the range, newest first. */
async function walkNewest(
  db: Queryable,
  query: string,
  { above, upTo }: KeyRange,
  limit: number,
  walked: number,
): Promise<PostId[]> {
  const rows = await db.all(sql`
    SELECT post_id FROM (
      SELECT post_id, terms FROM search_posts
      WHERE post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC LIMIT ${walked}) newest
    WHERE terms @@ CAST(${query} AS TSQUERY) ORDER BY post_id DESC LIMIT ${limit}`);
  return rows.map((row) => asId<PostId>(row['post_id']));
}

interface Asked {
  readonly query: string;
  readonly limit: number;
  readonly kind: keyof typeof PARTITIONS_FIRST;
}

/** The newest matches of the range, from the indexes of its partitions. */
async function askIndexes(db: Queryable, { query, limit, kind }: Asked, range: KeyRange): Promise<PostId[]> {
  const found: PostId[] = [];
  for (const group of groupsOf(await findPartitions(db, range), kind)) {
    const rows = await db.all(matches(group, query, range, limit - found.length));
    found.push(...rows.map((row) => asId<PostId>(row['post_id'])));
    if (found.length >= limit) break;
  }
  return found;
}

function groupsOf(partitions: readonly Partition[], kind: Asked['kind']): Partition[][] {
  const groups: Partition[][] = [];
  for (let [first, size] = [0, PARTITIONS_FIRST[kind]]; first < partitions.length; size *= GROUP_GROWTH) {
    groups.push(partitions.slice(first, first + size));
    first += size;
  }
  return groups;
}

/**
 * The newest matches in some partitions, which are looked at one after the other until there are enough. Within one, the
 * sum keeps the server from walking the key, OFFSET from sorting first, and the query's value is not to be seen when it
 * plans: the index on the terms is all that is left.
 */
function matches(
  partitions: readonly Partition[],
  query: string,
  { above, upTo }: KeyRange,
  limit: number,
): Sql {
  const parts = partitions.map(
    ({ number }) => sql`(
      SELECT post_id FROM (
        SELECT post_id FROM ${partitionTable(number)}
        WHERE terms @@ (SELECT query FROM asked) AND post_id + 0 > ${above} AND post_id + 0 <= ${upTo} OFFSET 0) found
      ORDER BY post_id DESC LIMIT ${limit})`,
  );
  return sql`
    WITH asked AS MATERIALIZED (SELECT CAST(${query} AS TSQUERY) AS query)
    SELECT post_id FROM (${united(parts)}) found
    LIMIT ${limit}`;
}
