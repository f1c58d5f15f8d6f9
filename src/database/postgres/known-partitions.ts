import { asText } from '../decode.js';
import { EVERY_KEY } from '../../core/page.js';
import type { Queryable } from '../queryable.js';
import { rawSql } from '../sql.js';
import { findPartitions, type Partition } from './search-partitions.js';

/** The partitions that there were at some moment, newest first. */
interface PartitionList {
  /** What `PARTITIONS_VERSION` is for as long as there are no others. */
  readonly version: string;
  readonly partitions: readonly Partition[];
}

/**
 * Tells partitions of one moment from those of another: which was made last, and by which transaction, as the numbers
 * begin anew when the index is cleared (PostgreSQL manual, "System Columns").
 */
export const PARTITIONS_VERSION = rawSql(
  `COALESCE((SELECT number || ':' || xmin FROM search_partitions ORDER BY number DESC LIMIT 1), '')`,
);

/**
 * Keeps the list of the partitions, which changes rarely, so that searches need not ask for it. Whoever relies on it asks
 * for the version in the same statement, and forgets a list of another.
 */
export interface KnownPartitions {
  read(db: Queryable): Promise<PartitionList>;
  forget(list: PartitionList): void;
}

export function createKnownPartitions(): KnownPartitions {
  let known: PartitionList | undefined;
  return {
    read: async (db) => (known ??= await findPartitionList(db)),
    forget: (list) => {
      if (known === list) known = undefined;
    },
  };
}

/** The version is asked for first: a list that is newer than its version is read again, never taken for the newest. */
async function findPartitionList(db: Queryable): Promise<PartitionList> {
  const row = await db.get(rawSql(`SELECT ${PARTITIONS_VERSION.strings.join('')} AS version`));
  return { version: asText(row?.['version']), partitions: await findPartitions(db, EVERY_KEY) };
}
