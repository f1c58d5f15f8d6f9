import type { PostId } from '../../core/ids.js';
import { MAX_ID } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import type { Queryable, Tx } from '../queryable.js';
import { asId, asNumber, list, rawSql, sql, type Sql } from '../sql.js';
import { NoTable } from './driver-errors.js';

/** The ids of one partition: from `firstId`, below `endId`. */
export interface PartitionRange {
  readonly firstId: bigint;
  readonly endId: bigint;
}

export interface Partition extends PartitionRange {
  readonly number: number;
}

/**
 * The documents, partitioned by id range, and the list of partitions. Ids need not arrive in order or at an even
 * rate, so ranges are chosen as documents arrive and recorded in `search_partitions`.
 */
export const PARTITIONS_DDL: readonly string[] = [
  `CREATE TABLE search_posts (
    post_id BIGINT PRIMARY KEY,
    terms TSVECTOR NOT NULL
  ) PARTITION BY RANGE (post_id)`,
  // In KiB. Every search scans the pending list, so it is kept small; writers, which flush it, are still two to three
  // times as fast as without one.
  'CREATE INDEX search_posts_terms ON search_posts USING gin (terms) WITH (gin_pending_list_limit = 256)',
  `CREATE TABLE search_partitions (
    number INTEGER PRIMARY KEY,
    first_id BIGINT NOT NULL,
    last_id BIGINT NOT NULL
  )`,
];

/**
 * The target number of documents per partition: few enough to check all matches in one, many enough that a rare word
 * needs lookups in few partitions.
 */
export const TARGET = 50_000n;

/** The same for a partition whose documents are on shards (citus/), each with an index of its own. */
export const TARGET_ON_SHARDS = 32n * TARGET;

/**
 * The width of a first partition, about three days of snowflakes, and the bounds of all others: an hour and a year.
 */
const FIRST_WIDTH = 1n << 50n;
const MIN_WIDTH = 1n << 44n;
const MAX_WIDTH = 1n << 57n;
/** The minimum number of documents to estimate their density. */
const MIN_SAMPLE = 100;
const END_OF_IDS = MAX_ID + 1n;

/** Returns the table name of a partition. */
export function partitionTable(number: number): Sql {
  return rawSql(`search_posts_${number}`);
}

/** Returns the partitions with ids above `above` up to `upTo`, newest first. */
export async function findPartitions(db: Queryable, { above, upTo }: KeyRange): Promise<Partition[]> {
  const rows = await db.all(sql`
    SELECT number, first_id, last_id FROM search_partitions
    WHERE last_id > ${above} AND first_id <= ${upTo} ORDER BY first_id DESC`);
  return rows.map((row) => ({
    number: asNumber(row['number']),
    firstId: asId(row['first_id']),
    endId: asId(row['last_id']) + 1n,
  }));
}

/** Creates missing partitions, each for about `target` documents, for the ids, which are in ascending order. */
export async function createPartitions(tx: Tx, ids: readonly PostId[], target: bigint): Promise<void> {
  let partitions: readonly Partition[] = [];
  for (const id of ids) {
    if (!partitions.some((each) => holds(each, id))) partitions = await createPartition(tx, id, ids, target);
  }
}

/**
 * Creates the next partition when three quarters of the newest range are used, so that writers do not wait for it.
 */
export async function createNextPartition(tx: Tx, newestId: PostId, target: bigint): Promise<void> {
  const row = await tx.get(
    sql`SELECT first_id, last_id FROM search_partitions ORDER BY first_id DESC LIMIT 1`,
  );
  if (!row) return;
  const [firstId, lastId] = [asId(row['first_id']), asId(row['last_id'])];
  const isNearEnd = newestId <= lastId && newestId >= lastId - (lastId - firstId) / 4n;
  if (isNearEnd && lastId < MAX_ID) await createPartition(tx, (lastId + 1n) as PostId, [], target);
}

/**
 * Creates the partition of an id if it is missing, and returns all partitions. Numbers are unique, so concurrent
 * callers wait for the first one's commit and then find its partition (or, at `serializable`, are retried).
 */
async function createPartition(
  tx: Tx,
  id: PostId,
  ids: readonly bigint[],
  target: bigint,
): Promise<readonly Partition[]> {
  for (;;) {
    const partitions = (await findPartitions(tx, EVERY_KEY)).reverse();
    if (partitions.some((each) => holds(each, id))) return partitions;
    const below = partitions.findLast((each) => each.endId <= id);
    const above = partitions.find((each) => each.firstId > id);
    const isNext = below !== undefined && id - below.endId < below.endId - below.firstId;
    const density = (isNext ? await densityIn(tx, below) : undefined) ?? densityOf(ids);
    const number = 1 + Math.max(0, ...partitions.map((each) => each.number));
    const created = { number, ...rangeFor(id, { below, above, density, target }) };
    if (await addPartition(tx, created)) return [...partitions, created];
  }
}

function holds({ firstId, endId }: PartitionRange, id: bigint): boolean {
  return firstId <= id && id < endId;
}

/** The density of documents: their number and the id range that they span. */
interface Density {
  readonly documents: number;
  readonly span: bigint;
}

/** The inputs for choosing the range of a new partition. */
export interface RangeHints {
  /** The nearest partitions below and above. */
  readonly below?: PartitionRange;
  readonly above?: PartitionRange;
  readonly density?: Density;
  /** The number of documents that it should get. */
  readonly target?: bigint;
}

/** Returns the range of a new partition: as wide as will probably fill it, adjacent to a neighbour if one is near. */
export function rangeFor(id: bigint, { below, above, density, target = TARGET }: RangeHints): PartitionRange {
  const floor = below?.endId ?? 0n;
  const ceiling = above?.firstId ?? END_OF_IDS;
  const width = density ? clamped((density.span * target) / BigInt(density.documents)) : FIRST_WIDTH;
  if (id - floor < width) return { firstId: floor, endId: min(floor + width, ceiling) };
  if (ceiling - id < width) return { firstId: ceiling - width, endId: ceiling };
  const firstId = id - (id % width);
  return { firstId: firstId < floor ? floor : firstId, endId: min(firstId + width, ceiling) };
}

function clamped(width: bigint): bigint {
  return width < MIN_WIDTH ? MIN_WIDTH : min(width, MAX_WIDTH);
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Estimates the density of ids; undefined if there are too few. */
function densityOf(ids: readonly bigint[]): Density | undefined {
  const [first, last] = [ids[0], ids.at(-1)];
  if (ids.length < MIN_SAMPLE || first === undefined || last === undefined) return undefined;
  return { documents: ids.length, span: last - first };
}

async function densityIn(tx: Tx, { number }: Partition): Promise<Density | undefined> {
  const row = await tx.get(sql`
    SELECT COUNT(*) AS documents, MAX(post_id) - MIN(post_id) AS span FROM ${partitionTable(number)}`);
  const documents = asNumber(row?.['documents']);
  return documents < MIN_SAMPLE ? undefined : { documents, span: asId(row?.['span']) };
}

/**
 * Creates a partition. Returns false if its number was taken meanwhile. The table is created first and then attached,
 * which does not block reads and writes of other partitions (PostgreSQL manual, ALTER TABLE, "ATTACH PARTITION").
 */
async function addPartition(tx: Tx, { number, firstId, endId }: Partition): Promise<boolean> {
  const added = await tx.run(sql`
    INSERT INTO search_partitions (number, first_id, last_id) VALUES (${number}, ${firstId}, ${endId - 1n})
    ON CONFLICT DO NOTHING`);
  if (added === 0) return false;
  const table = partitionTable(number);
  await tx.run(sql`CREATE TABLE ${table} (LIKE search_posts INCLUDING INDEXES)`);
  const bounds = rawSql(`FROM (${firstId}) TO (${endId > MAX_ID ? 'MAXVALUE' : endId})`);
  await tx.run(sql`ALTER TABLE search_posts ATTACH PARTITION ${table} FOR VALUES ${bounds}`);
  return true;
}

/** Drops all partitions. New ones will fit the documents that arrive then. */
export async function dropPartitions(tx: Tx): Promise<void> {
  const partitions = await findPartitions(tx, EVERY_KEY);
  for (const { number } of partitions) await tx.run(sql`DROP TABLE ${partitionTable(number)}`);
  const numbers = partitions.map(({ number }) => BigInt(number));
  await tx.run(sql`DELETE FROM search_partitions WHERE number IN ${list(numbers)}`);
}

/** Joins one or more selects with UNION ALL. */
export function unionAll(parts: readonly Sql[]): Sql {
  return parts.reduce((before, part) => sql`${before} UNION ALL ${part}`);
}

/**
 * Runs `work` on partition tables, and again if one of them was dropped meanwhile, as when the index is cleared.
 * `work` must read the list of partitions itself.
 */
export async function retryOnDroppedPartition<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NoTable) || tries === MAX_TRIES) throw error;
    }
  }
}

/** The index is never cleared that often. */
const MAX_TRIES = 5;
