import { PipitError } from '../core/errors.js';
import type { EdgeId, UserId } from '../core/ids.js';
import { firstIdAt, type IdSource } from '../core/snowflake.js';
import type { Tx } from '../database/engine.js';
import type { JobQueue } from '../stores/job-queue.js';
import type { WorldFaults } from './faults.js';
import type { Known } from './known.js';

/** A read-only check of the whole file against the database. */
export interface Check {
  readonly known: Known;
  readonly faults: WorldFaults;
}

/** A run of the loading transaction, which has checked the file. */
export interface Load extends Check {
  readonly tx: Tx;
  readonly nowMs: number;
  readonly ids: IdSource;
  readonly queue: JobQueue;
  /** Where the feed of events was before the load. */
  readonly feedPosition: bigint | undefined;
  /** The users that this load stores. No other transaction sees them, and they have no ties to older users. */
  readonly newUsers: Set<UserId>;
  /** Users whom entries name by id; those who do not exist were deleted. */
  readonly formerUsers: Set<UserId>;
  /** Creates the ids of edges, for now or for a given time. */
  edgeId(atMs?: number): EdgeId;
  /** Counts new objects: one by default. */
  added(section: Section, count?: number): void;
}

/** The counted sections of a file, in the order of reports. */
export const SECTIONS = [
  'users',
  'deleted_users',
  'follows',
  'blocks',
  'mutes',
  'dm_blocks',
  'posts',
  'deleted_posts',
  'articles',
  'likes',
  'bookmarks',
  'bookmark_folders',
  'media',
  'places',
  'lists',
  'spaces',
  'communities',
  'conversations',
  'apps',
  'tokens',
  'saved_searches',
  'notifications',
  'stream_rules',
  'webhooks',
  'activity_subscriptions',
  'usage',
] as const;
type Section = (typeof SECTIONS)[number];

/** The number of new objects of each section. */
export type Added = Readonly<Record<Section, number>>;

const SEQUENCE_BITS = 12n;
const LOW_BITS = 22n;

/**
 * Creates the edge ids of a load: without a time, new snowflakes; with a time, ids within its millisecond in the
 * order of the calls, so that lists follow the given times.
 */
export function createEdgeIds(ids: IdSource): (atMs?: number) => EdgeId {
  // The start depends on the current time, so that two loads with equal times create different ids.
  const start = ((ids.next<EdgeId>() >> LOW_BITS) & 0x3ffn) << SEQUENCE_BITS;
  const used = new Map<number, bigint>();
  return (atMs) => {
    if (atMs === undefined) return ids.next<EdgeId>();
    const sequence = used.get(atMs) ?? 0n;
    used.set(atMs, sequence + 1n);
    return (firstIdAt(atMs) + ((start + sequence) & 0x3fffffn)) as EdgeId;
  };
}

/** Reports entries that repeat the key of another entry of the same section. */
export function requireUnique<T extends { readonly path: string }>(
  entries: readonly T[],
  field: string,
  keyOf: (entry: T) => bigint | string | undefined,
  faults: WorldFaults,
): void {
  const first = new Map<bigint | string, string>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const other = first.get(key);
    if (other === undefined) first.set(key, `${entry.path}.${field}`);
    else faults.add(`${entry.path}.${field}`, `stands at ${other} already`);
  }
}

/** Reports the refusal of a service as a fault of the entry. */
export async function reporting(
  path: string,
  { faults }: Pick<Load, 'faults'>,
  store: () => Promise<void>,
): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (!(error instanceof PipitError)) throw error;
    faults.add(path, error.message);
  }
}
