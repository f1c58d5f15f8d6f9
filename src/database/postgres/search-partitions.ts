import type { PostId } from '../../core/ids.js';
import { MAX_ID } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import { asId, asNumber } from '../decode.js';
import type { Queryable, Tx } from '../queryable.js';
import { list, rawSql, sql, type Sql } from '../sql.js';
import { NoTable } from './driver-errors.js';

/** The ids whose documents lie in one table: from `firstId` on, below `endId`. */
export interface PartitionRange {
  readonly firstId: bigint;
  readonly endId: bigint;
}

export interface Partition extends PartitionRange {
  readonly number: number;
}

/**
 * The documents, in partitions by id range, and which partitions there are. Ids are nobody's promise to come in order
 * or at an even pace, so ranges are chosen as documents come: `search_partitions` is what they are.
 */
export const PARTITIONS_DDL: readonly string[] = [
  `CREATE TABLE search_posts (
    post_id BIGINT PRIMARY KEY,
    terms TSVECTOR NOT NULL
  ) PARTITION BY RANGE (post_id)`,
  // In KiB. What waits to be sorted into the index is read through by every search: little of it, and writers, who do the
  // sorting in turn, are still two to three times as fast as without.
  'CREATE INDEX search_posts_terms ON search_posts USING gin (terms) WITH (gin_pending_list_limit = 256)',
  `CREATE TABLE search_partitions (
    number INTEGER PRIMARY KEY,
    first_id BIGINT NOT NULL,
    last_id BIGINT NOT NULL
  )`,
];

/**
 * How many documents a partition is meant for: few enough that the matches in one can all be looked at, many enough
 * that a rare word does not have to be looked up in many of them.
 */
const TARGET = 50_000n;

/** Of a partition with nothing to go by, about three days of snowflakes; and the bounds of all others, an hour and a year. */
const FIRST_WIDTH = 1n << 50n;
const LEAST_WIDTH = 1n << 44n;
const MOST_WIDTH = 1n << 57n;
/** So few of them tell how close to each other documents are. */
const TELLING_DOCUMENTS = 100;
const END_OF_IDS = MAX_ID + 1n;

/** The table of a partition. */
export function partitionTable(number: number): Sql {
  return rawSql(`search_posts_${number}`);
}

/** The partitions that hold ids above `above` up to `upTo`, newest first. */
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

/** Makes partitions so that each of the ids, which are in ascending order, lies in one. */
export async function makePartitions(tx: Tx, ids: readonly PostId[]): Promise<void> {
  let partitions: readonly Partition[] = [];
  for (const id of ids) {
    if (!partitions.some((each) => holds(each, id))) partitions = await makePartition(tx, id, ids);
  }
}

/**
 * Makes the partition that comes next as soon as the newest is used up to three quarters, so that those who write do
 * not have to wait for it.
 */
export async function makeNextPartition(tx: Tx, newestId: PostId): Promise<void> {
  const row = await tx.get(
    sql`SELECT first_id, last_id FROM search_partitions ORDER BY first_id DESC LIMIT 1`,
  );
  if (!row) return;
  const [firstId, lastId] = [asId(row['first_id']), asId(row['last_id'])];
  const isNearEnd = newestId <= lastId && newestId >= lastId - (lastId - firstId) / 4n;
  if (isNearEnd && lastId < MAX_ID) await makePartition(tx, (lastId + 1n) as PostId, []);
}

/**
 * Makes the partition of one id where there is none. Of several at once one makes it: numbers are given once, so the
 * others wait for its commit and then find the partition (or, when they rely on what they read, are tried again). Resolves
 * to all that there are then.
 */
async function makePartition(tx: Tx, id: PostId, ids: readonly bigint[]): Promise<readonly Partition[]> {
  for (;;) {
    const partitions = (await findPartitions(tx, EVERY_KEY)).reverse();
    if (partitions.some((each) => holds(each, id))) return partitions;
    const below = partitions.findLast((each) => each.endId <= id);
    const above = partitions.find((each) => each.firstId > id);
    const isNext = below !== undefined && id - below.endId < below.endId - below.firstId;
    const pace = (isNext ? await paceIn(tx, below) : undefined) ?? paceOf(ids);
    const number = 1 + Math.max(0, ...partitions.map((each) => each.number));
    const made = { number, ...rangeFor(id, { below, above, pace }) };
    if (await addPartition(tx, made)) return [...partitions, made];
  }
}

function holds({ firstId, endId }: PartitionRange, id: bigint): boolean {
  return firstId <= id && id < endId;
}

/** So many documents are spread over so many ids. */
interface Pace {
  readonly documents: number;
  readonly span: bigint;
}

/** What the range of a new partition is chosen by. */
export interface Surroundings {
  /** The nearest partitions on both sides. */
  readonly below?: PartitionRange;
  readonly above?: PartitionRange;
  readonly pace?: Pace;
}

/**
 * The range of a partition for an id that lies between two others: as wide as is likely to fill it, and beginning or
 * ending where a near one ends or begins.
 */
export function rangeFor(id: bigint, { below, above, pace }: Surroundings): PartitionRange {
  const floor = below?.endId ?? 0n;
  const ceiling = above?.firstId ?? END_OF_IDS;
  const width = pace ? clamped((pace.span * TARGET) / BigInt(pace.documents)) : FIRST_WIDTH;
  if (id - floor < width) return { firstId: floor, endId: lesser(floor + width, ceiling) };
  if (ceiling - id < width) return { firstId: ceiling - width, endId: ceiling };
  const firstId = id - (id % width);
  return { firstId: firstId < floor ? floor : firstId, endId: lesser(firstId + width, ceiling) };
}

function clamped(width: bigint): bigint {
  return width < LEAST_WIDTH ? LEAST_WIDTH : lesser(width, MOST_WIDTH);
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Undefined when there are too few ids to tell. */
function paceOf(ids: readonly bigint[]): Pace | undefined {
  const [first, last] = [ids[0], ids.at(-1)];
  if (ids.length < TELLING_DOCUMENTS || first === undefined || last === undefined) return undefined;
  return { documents: ids.length, span: last - first };
}

async function paceIn(tx: Tx, { number }: Partition): Promise<Pace | undefined> {
  const row = await tx.get(sql`
    SELECT COUNT(*) AS documents, MAX(post_id) - MIN(post_id) AS span FROM ${partitionTable(number)}`);
  const documents = asNumber(row?.['documents']);
  return documents < TELLING_DOCUMENTS ? undefined : { documents, span: asId(row?.['span']) };
}

/**
 * False when the number was taken in the meantime. The table is made first and attached then: that keeps nobody from
 * reading and writing the others (PostgreSQL manual, ALTER TABLE, "ATTACH PARTITION").
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

/** Removes all partitions with what they hold: those made anew fit what comes then. */
export async function dropPartitions(tx: Tx): Promise<void> {
  const partitions = await findPartitions(tx, EVERY_KEY);
  for (const { number } of partitions) await tx.run(sql`DROP TABLE ${partitionTable(number)}`);
  const numbers = partitions.map(({ number }) => BigInt(number));
  await tx.run(sql`DELETE FROM search_partitions WHERE number IN ${list(numbers)}`);
}

/** Many selects as one, at least one. */
export function united(parts: readonly Sql[]): Sql {
  return parts.reduce((before, part) => sql`${before} UNION ALL ${part}`);
}

/**
 * Works on partitions' tables by name, again when one of them went away meanwhile, as all do when the index is cleared:
 * `work` must ask anew which there are.
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

/** The index is not cleared that often. */
const MAX_TRIES = 5;
