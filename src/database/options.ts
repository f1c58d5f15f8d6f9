import { systemClock, type Clock } from '../core/clock.js';
import { migrations } from './migrations/all.js';
import type { Migration } from './migrations/migration.js';
import { silentLog, type StorageLog } from './storage-log.js';

/** The options that all engines have. */
export interface Options {
  /**
   * `full`: acknowledged means on disk. `relaxed`: a power failure, or a crash of a database server, may lose the last
   * moments; a killed process loses nothing.
   */
  readonly durability: 'full' | 'relaxed';
  /** The steps of the schema; Pipit's own by default. */
  readonly migrations?: readonly Migration[];
  readonly log?: StorageLog;
  readonly clock?: Clock;
  /**
   * Whether using the engine inside a transaction body throws; on by default. If off, such code reads old data or
   * deadlocks until `busyLimitMs`.
   */
  readonly detectsNesting?: boolean;
  /** How long work waits for locks, and is retried after conflicts, before StorageUnavailable. */
  readonly busyLimitMs?: number;
  /** The number of processes of the server, which share the connections of a database server; 1 by default. */
  readonly processes?: number;
}

export const DEFAULTS = {
  migrations,
  log: silentLog,
  clock: systemClock,
  detectsNesting: true,
  busyLimitMs: 5_000,
  processes: 1,
} satisfies Partial<Options>;
