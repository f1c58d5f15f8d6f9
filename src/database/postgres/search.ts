import type { PostId } from '../../core/ids.js';
import type { KeyRange } from '../../core/page.js';
import { asBoolean, asText } from '../decode.js';
import type { Queryable, Tx } from '../queryable.js';
import { pendingWithin } from '../search-pending.js';
import type { SearchDocument, SearchIndex, TimeSpan, WantedMatches } from '../search.js';
import { list, sql, type Sql, type SqlValue } from '../sql.js';
import { createKnownPartitions, PARTITIONS_VERSION, type KnownPartitions } from './known-partitions.js';
import {
  dropPartitions,
  makeNextPartition,
  makePartitions,
  PARTITIONS_DDL,
  type Partition,
  partitionTable,
  united,
  retryOnDroppedPartition,
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

/** They are mostly in the newest partitions: the server makes ready to read each that a statement might, 10 µs of work. */
const WALKED_PARTITIONS = 2;

/**
 * So many partitions are asked in one statement, from the newest on, and so many times as many in the next while the
 * page is not full: what is not rare takes a short statement, what is rare (none of the walked matched) few of them.
 */
const PARTITIONS_FIRST = { common: 2, rare: 64 };
const GROUP_GROWTH = 32;

/** No post was made then. */
const NEVER: TimeSpan = { beforeMs: Number.MIN_SAFE_INTEGER };

/**
 * A page is looked for in two ways, and which one is tried is decided here, not by the server's guess at how common a
 * word is. The newest documents of the range are walked, a bounded number of them: that finds what is common. What is
 * left of the page comes from the GIN indexes of the partitions, newest first until it is full: those find all matches
 * of a partition whatever their number, so partitions are kept small.
 */
export function createPostgresSearch(): SearchIndex {
  const known = createKnownPartitions();
  const find = (db: Queryable, { selection, ...where }: WantedMatches, within: TimeSpan) => {
    const wanted = { ...where, query: queryOf(selection), within };
    return retryOnDroppedPartition(() => findMatches(db, known, wanted));
  };
  return {
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
    page: async (db, selection, range, limit) => (await find(db, { selection, range, limit }, NEVER)) ?? [],
    completePage: find,
    // Autovacuum does it.
    tidy: () => Promise.resolve(false),
    clear: dropPartitions,
  };
}

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

interface Wanted {
  readonly query: string;
  readonly range: KeyRange;
  readonly limit: number;
  /** Posts of these times must not be missing in the index. */
  readonly within: TimeSpan;
}

/** Undefined when the index has yet to look at posts of those times. */
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

/** What is left of a range when its newest matches are found. */
function below(range: KeyRange, found: readonly PostId[]): KeyRange {
  const lowest = found.at(-1);
  return lowest === undefined ? range : { ...range, upTo: lowest - 1n };
}

/** What of the range the newest of its partitions hold. */
function nearIn({ above, upTo }: KeyRange, reached: readonly Partition[]): KeyRange {
  const firstId = reached[WALKED_PARTITIONS - 1]?.firstId ?? 0n;
  return { above: firstId > above ? firstId - 1n : above, upTo };
}

interface Walked {
  /** Newest first, at most as many as were wanted. */
  readonly found: PostId[];
  /** All partitions that hold ids of the range, newest first. */
  readonly reached: readonly Partition[];
}

/** The matches among the newest documents, and, of the same moment, whether partitions or posts are missing. */
async function walkFirst(db: Queryable, known: KnownPartitions, wanted: Wanted): Promise<Walked | undefined> {
  for (;;) {
    const list = await known.read(db);
    const { above, upTo } = wanted.range;
    const reached = list.partitions.filter(({ firstId, endId }) => firstId <= upTo && endId - 1n > above);
    const near = { ...wanted, range: nearIn(wanted.range, reached) };
    const row = await db.get(sql`
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

/** Those of the `walked` newest documents of the range that match, newest first. */
function newestMatches({ query, range: { above, upTo }, limit }: Wanted, walked: number): Sql {
  return sql`
    SELECT post_id FROM (
      SELECT post_id, terms FROM search_posts
      WHERE post_id > ${above} AND post_id <= ${upTo} ORDER BY post_id DESC LIMIT ${walked}) newest
    WHERE terms @@ CAST(${query} AS TSQUERY) ORDER BY post_id DESC LIMIT ${limit}`;
}

/** An array as the server writes it: a page of ids in one row takes both sides half the time of as many rows. */
function idsOf(array: SqlValue | undefined): PostId[] {
  const inside = asText(array).slice(1, -1);
  return inside === '' ? [] : inside.split(',').map((id) => BigInt(id) as PostId);
}

/** The newest matches of the range, from the indexes of its partitions. */
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
 * The newest matches in some partitions, which are looked at one after the other until there are enough. OFFSET keeps the
 * server from walking a partition's key: the index on the terms is all that is left. It sees no value that would tell it
 * how much will match, so that it keeps the plan in place of making one each time: queries and limits are in a table of
 * their own, sums hide the bounds.
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
    SELECT post_id FROM (${united(parts)}) found
    WHERE post_id + 0 > ${above} AND post_id + 0 <= ${upTo} LIMIT (SELECT wanted FROM asked)`;
}
