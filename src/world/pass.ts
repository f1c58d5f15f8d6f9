import type { EdgeId } from '../core/ids.js';
import { firstIdAt, type IdSource } from '../core/snowflake.js';
import type { Tx } from '../database/engine.js';
import type { JobQueue } from '../stores/job-queue.js';
import type { WorldFaults } from './faults.js';
import type { Known } from './known.js';

/** One look at the whole file against the database, which changes nothing. */
export interface Check {
  readonly known: Known;
  readonly faults: WorldFaults;
}

/** One run of the loading transaction, for a file that was checked within it. */
export interface Load extends Check {
  readonly tx: Tx;
  readonly nowMs: number;
  readonly ids: IdSource;
  readonly queue: JobQueue;
  /** Ids of edges made now, or at a given time. */
  edgeId(atMs?: number): EdgeId;
  /** Counts something that the database did not have. */
  added(section: Section): void;
}

/** What reports count, in their order: every section of the file. */
export const SECTIONS = [
  'users',
  'follows',
  'blocks',
  'mutes',
  'posts',
  'likes',
  'bookmarks',
  'media',
  'places',
  'lists',
  'spaces',
  'conversations',
  'apps',
  'tokens',
] as const;
type Section = (typeof SECTIONS)[number];

/** How many things of each kind a file brought that the database did not have. */
export type Added = Readonly<Record<Section, number>>;

const SEQUENCE_BITS = 12n;
const LOW_BITS = 22n;

/**
 * Edge ids for a load: those without a time are new snowflakes; those with one lie within its millisecond, in the
 * order of asking, so that lists are in the order of the times given.
 */
export function createEdgeIds(ids: IdSource): (atMs?: number) => EdgeId {
  // Two loads that name the same times should not make the same ids: begin at a place that depends on the moment.
  const start = ((ids.next<EdgeId>() >> LOW_BITS) & 0x3ffn) << SEQUENCE_BITS;
  const used = new Map<number, bigint>();
  return (atMs) => {
    if (atMs === undefined) return ids.next<EdgeId>();
    const sequence = used.get(atMs) ?? 0n;
    used.set(atMs, sequence + 1n);
    return (firstIdAt(atMs) + ((start + sequence) & 0x3fffffn)) as EdgeId;
  };
}

/** Reports entries whose key another entry of the same section has. */
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
