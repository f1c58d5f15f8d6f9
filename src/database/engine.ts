import type { CollectMetrics } from '../core/metrics.js';
import type { Feed } from './feed.js';
import type { Sql } from './sql.js';
import type { Queryable, Tx } from './queryable.js';
import type { SearchIndex } from './search.js';
import type { SearchCounter } from './search-counter.js';
import type { TakeChange } from './watchers.js';

export type { Queryable, Row, Tx } from './queryable.js';

/**
 * The isolation that the body of a transaction needs.
 *
 * `serializable`, the default: what the body read stays true until its commit, as if such bodies ran one after the
 * other. Engines that run bodies concurrently achieve this by retrying, which is expensive when many change the same
 * rows.
 *
 * `read-committed`: each statement is atomic and sees everything committed before it starts; earlier reads may be
 * outdated. For bodies that run often and concurrently on the same rows and are correct anyway: uniqueness is a
 * constraint or a conditional statement whose row count is checked, counts are changed by increments, and other
 * decisions would be equally right a moment earlier. Each use explains why. A
 * `serializable` body conflicts with them only in rows that both change.
 */
export type Isolation = 'serializable' | 'read-committed';

/**
 * A database. Feature code never asks which kind.
 *
 * Inside a transaction body await only `tx`: using the engine there throws, because it would deadlock.
 */
export interface Engine extends Queryable {
  readonly search: SearchIndex;
  /** What all processes committed, for subscribers. */
  readonly feed: Feed;
  /** Counts matches of a search without blocking other work. */
  readonly searchCounter: SearchCounter;
  /**
   * Runs `body` in one transaction and resolves when it is durable (docs/design/storage.md#transactions). The body
   * may run several times (busy, serialization failure, deadlock): it must have no effects outside `tx`. If it
   * throws, nothing is written and the error is rethrown. `name` labels the transaction in logs.
   *
   * Throws AlreadyExists, and StorageUnavailable if the database cannot serve, as all methods do. After
   * StorageUnavailable the writes may still appear: committed, but not confirmed by the disk.
   */
  tx<T>(name: string, body: (tx: Tx) => Promise<T>, isolation?: Isolation): Promise<T>;
  /**
   * Returns a function whose number grows whenever any process changes or deletes rows of these tables, or inserts
   * into one of which caches keep absent rows (cached-tables.ts). `take` receives the changes whose keys are known, as soon as they are
   * committed and known here, some of them twice; the number does not grow for those that it handles. It includes all
   * commits of this process, and those of other processes acknowledged before a resolved `catchUp`. Calls are cheap:
   * caches make one at every use (row-cache.ts). Throws for a table that is not in cached-tables.ts.
   */
  changesIn(tables: readonly string[], take?: TakeChange): () => number;
  /**
   * Reads every change that any process acknowledged before the call. Called once at the start of whatever uses caches:
   * a request or a job. Returns undefined if there is nothing to wait for. Never rejects: while changes cannot be read
   * `changesIn` grows at every use, so nothing stays cached.
   */
  catchUp(): Promise<void> | undefined;
  /** All caches over this database (caches.ts). */
  readonly caches?: Caches;
  /** What this process did to the database inside: syncs, retries, connections, readers of the feed. */
  readonly collect: CollectMetrics;
  /** Returns the plan of a statement in lines, without values. Does not run it. */
  explain(query: Sql): Promise<readonly string[]>;
  /** Measures the database. Takes a few milliseconds. */
  figures(): Promise<DatabaseFigures>;
  /**
   * Writes a consistent copy of the whole database to a new file (0600) while others read and write. Throws
   * AlreadyExists if the file exists.
   */
  backup(file: string): Promise<void>;
  /** Waits for running work and closes the engine. Every later use throws StorageUnavailable. */
  close(): Promise<void>;
}

/** The caches over a database. */
export interface Caches {
  /** The memory for all of them. */
  readonly bytes: number;
  /** How many values each cache found, and how many were read. */
  readonly byName: Map<string, CacheUse>;
}

/** The use of a cache. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  /** How many values it holds; a value that was found again lately may count twice. */
  readonly entries: number;
  /** Their memory, as estimated. */
  readonly bytes: number;
}

/** The size and load of a database. */
export interface DatabaseFigures {
  readonly bytes: number;
  /** Connections of all processes and programs; undefined if unknown. */
  readonly connections?: number;
  /** The size of the write-ahead log; undefined for a database on a server. */
  readonly logBytes?: number;
}

/** The engine-specific parts of migrations: column types and table options. */
export interface Ddl {
  /** The type of a 64-bit id that is the whole primary key. */
  readonly idKey: string;
  /** The type of texts that are ordered by their bytes. */
  readonly binaryText: string;
  /** Ends a CREATE TABLE with a compound or non-id primary key: stores rows in key order if possible. */
  readonly clustered: string;
  /** The statements that create the tables of the engine's `SearchIndex`. */
  readonly searchIndex: readonly string[];
  /** The statements of migration 15 that clear and reindex an index of an older layout. */
  readonly searchReset: readonly string[];
  /** The statements of the migrations that create and change the feed of changes, by version. */
  readonly changeFeed: Readonly<Record<33 | 54 | 55 | 57, readonly string[]>>;
}
