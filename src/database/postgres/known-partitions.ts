import { EVERY_KEY } from '../../core/page.js';
import type { Queryable } from '../queryable.js';
import { asText, rawSql } from '../sql.js';
import { findPartitions, type Partition } from './search-partitions.js';

/** A snapshot of the partitions, newest first. */
interface PartitionList {
  /** The value of `PARTITIONS_VERSION` while the partitions are unchanged. */
  readonly version: string;
  readonly partitions: readonly Partition[];
}

/**
 * Identifies a set of partitions by the newest number and the transaction that created it, since numbers start again
 * when the index is cleared (PostgreSQL manual, "System Columns").
 */
export const PARTITIONS_VERSION = rawSql(
  `COALESCE((SELECT number || ':' || xmin FROM search_partitions ORDER BY number DESC LIMIT 1), '')`,
);

/**
 * Caches the list of partitions, which rarely changes. Users of the list select the version in the same statement and
 * discard the list if it differs.
 */
export type KnownPartitions = ReturnType<typeof createKnownPartitions>;

export function createKnownPartitions() {
  let known: PartitionList | undefined;
  return {
    read: async (db: Queryable): Promise<PartitionList> => (known ??= await findPartitionList(db)),
    forget: (list: PartitionList): void => {
      if (known === list) known = undefined;
    },
  };
}

/**
 * Reads the version before the list: a list newer than its version is only read again, never mistaken for current.
 */
async function findPartitionList(db: Queryable): Promise<PartitionList> {
  const row = await db.get(rawSql(`SELECT ${PARTITIONS_VERSION.strings.join('')} AS version`));
  return { version: asText(row?.['version']), partitions: await findPartitions(db, EVERY_KEY) };
}
