import type { PostId } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import type { Queryable, Row, Tx } from '../queryable.js';
import { askShards } from './citus/search-shards.js';
import { pendingWithin } from '../search-pending.js';
import {
  differingIds,
  type SearchDocument,
  type SearchIndex,
  type TimeSpan,
  type WantedMatches,
} from '../search.js';
import { asBoolean, asId, asText, list, sql, sqlIn, type Sql, type SqlValue } from '../sql.js';
import { createKnownPartitions, PARTITIONS_VERSION, type KnownPartitions } from './known-partitions.js';
import {
  dropPartitions,
  createNextPartition,
  createPartitions,
  findPartitions,
  PARTITIONS_DDL,
  type Partition,
  partitionTable,
  unionAll,
  retryOnDroppedPartition,
  TARGET,
  TARGET_ON_SHARDS,
} from './search-partitions.js';
import { hasPhrase, queryOf, vectorOf } from './search-vectors.js';

/** The index: documents as tsvectors with GIN indexes, partitioned by id range. */
export const POSTGRES_SEARCH_DDL: readonly string[] = PARTITIONS_DDL;

/**
 * The number of newest documents scanned before the index is used, which suffices for common words. If part of a page
 * was found, more are scanned; longer for phrases, because the index knows only their words and every candidate must
 * be read.
 */
const WALKED_DOCUMENTS = 1_000;
const WALKED_ON = { words: 4_000, phrases: 10_000 };
const PART_TO_WALK_ON = { words: 4, phrases: 10 };

/**
 * The newest documents are mostly in these partitions. The server prepares every partition of a statement, 10 µs
 * each.
 */
const WALKED_PARTITIONS = 2;

/**
 * The number of partitions in the first index statement, and its growth per statement until the page is full: common
 * matches need one short statement, rare ones (no match in the scan) few large ones.
 */
const PARTITIONS_FIRST = { common: 2, rare: 64 };
const GROUP_GROWTH = 32;

/** A span that contains no post. */
const NEVER: TimeSpan = { beforeMs: Number.MIN_SAFE_INTEGER };

/**
 * Finds a page in two ways; this code chooses, because the server's estimate of a word's frequency is poor. First it
 * scans a bounded number of the newest documents, which finds common words. The rest of the page comes from the
 * partitions' GIN indexes, newest first. An index lookup finds all matches of a partition, so partitions are small.
 */
export function createPostgresSearch({ isDistributed = false } = {}): SearchIndex {
  const known = createKnownPartitions();
  const target = isDistributed ? TARGET_ON_SHARDS : TARGET;
  const find = (db: Queryable, { selection, ...where }: WantedMatches, within: TimeSpan) => {
    const wanted = { query: queryOf(selection), within, ...where };
    return retryOnDroppedPartition(() =>
      isDistributed ? askShards(db, wanted) : findMatches(db, known, wanted),
    );
  };
  return {
    put: async (tx, documents) => {
      const sorted = [...documents].sort((one, other) => (one.id < other.id ? -1 : 1));
      const newest = sorted.at(-1);
      if (!newest) return;
      if ((await putWhereRoom(tx, sorted)) < sorted.length) {
        await createPartitions(
          tx,
          sorted.map(({ id }) => id),
          target,
        );
        await putWhereRoom(tx, sorted);
      }
      await createNextPartition(tx, newest.id, target);
    },
    remove: async (tx, ids) => {
      if (ids.length === 0) return;
      // A partition of another transaction is not seen before its commit, nor are its documents. Reading the list of
      // partitions lets the two conflict, as reading the documents does in other partitions.
      await Promise.all([
        findPartitions(tx, EVERY_KEY),
        tx.run(sql`DELETE FROM search_posts WHERE post_id IN ${list(ids)}`),
      ]);
    },
    page: async (db, selection, range, limit) => (await find(db, { selection, range, limit }, NEVER)) ?? [],
    completePage: find,
    compare: async (db, documents, { above, upTo }) => {
      const inRange = sql`s.post_id > ${above} AND s.post_id <= ${upTo}`;
      const indexed = await db.all(sql`SELECT s.post_id FROM search_posts s WHERE ${inRange}`);
      const same = await db.all(sql`
        SELECT s.post_id FROM search_posts s
        JOIN json_to_recordset(CAST(${jsonOf(documents)} AS JSON)) AS document(id BIGINT, terms TEXT)
          ON s.post_id = document.id AND s.terms = CAST(document.terms AS TSVECTOR)
        WHERE ${inRange}`);
      const idOf = (row: Row): PostId => asId<PostId>(row['post_id']);
      return differingIds(documents, indexed.map(idOf), new Set(same.map(idOf)));
    },
    // Autovacuum does this.
    tidy: () => Promise.resolve(false),
    clear: dropPartitions,
  };
}

/** Stores the documents whose partition exists. Returns their number. */
function putWhereRoom(tx: Tx, documents: readonly SearchDocument[]): Promise<number> {
  return tx.run(sql`
    INSERT INTO search_posts (post_id, terms)
    SELECT id, CAST(terms AS TSVECTOR)
    FROM json_to_recordset(CAST(${jsonOf(documents)} AS JSON)) AS document(id BIGINT, terms TEXT)
    WHERE EXISTS (SELECT 1 FROM search_partitions WHERE first_id <= id AND id <= last_id)
    ON CONFLICT (post_id) DO UPDATE SET terms = excluded.terms`);
}

function jsonOf(documents: readonly SearchDocument[]): string {
  return JSON.stringify(
    documents.map((document) => ({ id: String(document.id), terms: vectorOf(document) })),
  );
}

interface Wanted {
  readonly query: string;
  readonly range: KeyRange;
  readonly limit: number;
  /** The index must contain all posts of these times. */
  readonly within: TimeSpan;
}

/** Returns undefined if posts of `within` are not indexed yet. */
async function findMatches(
  db: Queryable,
  known: KnownPartitions,
  wanted: Wanted,
): Promise<PostId[] | undefined> {
  const walked = await walkFirst(db, known, wanted);
  if (walked === undefined) return undefined;
  const { query, range, limit } = wanted;
  const { found, reached } = walked;
  const what = hasPhrase(query) ? 'phrases' : 'words';
  if (found.length < limit && found.length * PART_TO_WALK_ON[what] >= limit) {
    const left = below(nearIn(range, reached), found);
    found.push(
      ...(await walkOn(db, { ...wanted, range: left, limit: limit - found.length }, WALKED_ON[what])),
    );
  }
  if (found.length >= limit) return found;
  const kind = found.length === 0 ? 'rare' : 'common';
  const rest = { ...wanted, range: below(range, found), limit: limit - found.length };
  return [...found, ...(await askIndexes(db, rest, reached, kind))];
}

/** Returns the part of a range below the matches already found. */
function below(range: KeyRange, found: readonly PostId[]): KeyRange {
  const lowest = found.at(-1);
  return lowest === undefined ? range : { ...range, upTo: lowest - 1n };
}

/** Returns the part of the range covered by its newest partitions. */
function nearIn({ above, upTo }: KeyRange, reached: readonly Partition[]): KeyRange {
  const firstId = reached[WALKED_PARTITIONS - 1]?.firstId ?? 0n;
  return { above: firstId > above ? firstId - 1n : above, upTo };
}

interface Walked {
  /** The matches, newest first; at most the limit. */
  readonly found: PostId[];
  /** All partitions of the range, newest first. */
  readonly reached: readonly Partition[];
}

/**
 * Scans the newest documents. The same statement checks that the list of partitions is current and no posts are
 * pending.
 */
async function walkFirst(db: Queryable, known: KnownPartitions, wanted: Wanted): Promise<Walked | undefined> {
  for (;;) {
    const list = await known.read(db);
    const { above, upTo } = wanted.range;
    const reached = list.partitions.filter(({ firstId, endId }) => firstId <= upTo && endId - 1n > above);
    const near = { ...wanted, range: nearIn(wanted.range, reached) };
    const row = await db.get(sqlIn('search')`
      SELECT ${PARTITIONS_VERSION} AS version, EXISTS (${pendingWithin(wanted.within)}) AS is_behind,
        CAST(ARRAY(${newestMatches(near, WALKED_DOCUMENTS)}) AS TEXT) AS ids`);
    if (asText(row?.['version']) !== list.version) known.forget(list);
    else return asBoolean(row?.['is_behind']) ? undefined : { found: idsOf(row?.['ids']), reached };
  }
}

async function walkOn(db: Queryable, wanted: Wanted, walked: number): Promise<PostId[]> {
  const row = await db.get(sql`SELECT CAST(ARRAY(${newestMatches(wanted, walked)}) AS TEXT) AS ids`);
  return idsOf(row?.['ids']);
}

/** Selects the matches among the `walked` newest documents of the range, newest first. */
function newestMatches({ query, range: { above, upTo }, limit }: Wanted, walked: number): Sql {
  return sql`
    SELECT post_id FROM (
      SELECT post_id, terms FROM search_posts
      WHERE post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC LIMIT ${walked}) newest
    WHERE terms @@ CAST(${query} AS TSQUERY) ORDER BY post_id DESC LIMIT ${limit}`;
}

/** Parses an array. A page of ids in one row takes both sides half the time of one row per id. */
function idsOf(array: SqlValue | undefined): PostId[] {
  const inside = asText(array).slice(1, -1);
  return inside === '' ? [] : inside.split(',').map((id) => BigInt(id) as PostId);
}

/** Returns the newest matches of the range from the indexes of its partitions. */
async function askIndexes(
  db: Queryable,
  { query, limit, range }: Wanted,
  reached: readonly Partition[],
  kind: keyof typeof PARTITIONS_FIRST,
): Promise<PostId[]> {
  const found: PostId[] = [];
  const left = reached.filter(({ firstId }) => firstId <= range.upTo);
  for (const group of groupsOf(left, PARTITIONS_FIRST[kind])) {
    const row = await db.get(
      sql`SELECT CAST(ARRAY(${matches(group, query, range, limit - found.length)}) AS TEXT) AS ids`,
    );
    found.push(...idsOf(row?.['ids']));
    if (found.length >= limit) break;
  }
  return found;
}

function groupsOf(partitions: readonly Partition[], first: number): Partition[][] {
  const groups: Partition[][] = [];
  for (let [at, size] = [0, first]; at < partitions.length; size *= GROUP_GROWTH) {
    groups.push(partitions.slice(at, at + size));
    at += size;
  }
  return groups;
}

/**
 * Selects the newest matches in some partitions, one partition after the other until there are enough. OFFSET stops
 * the server from walking the primary key, so only the index on the terms is left. No literal tells the server how
 * many rows match, so it reuses one plan: query and limit come from a CTE, and `+ 0` hides the bounds.
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
        SELECT post_id FROM ${partitionTable(number)} WHERE terms @@ (SELECT query FROM asked) OFFSET 0) found
      ORDER BY post_id DESC)`,
  );
  return sql`
    WITH asked AS MATERIALIZED (SELECT CAST(${query} AS TSQUERY) AS query, CAST(${limit} AS BIGINT) AS wanted)
    SELECT post_id FROM (${unionAll(parts)}) found
    WHERE post_id + 0 > ${above} AND post_id + 0 <= ${upTo} LIMIT (SELECT wanted FROM asked)`;
}
