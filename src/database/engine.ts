import type { Queryable, Tx } from './queryable.js';
import type { SearchIndex } from './search.js';
import type { SearchCounter } from './search-counter.js';

export type { Queryable, Row, Tx } from './queryable.js';

/**
 * What the body of a transaction relies on.
 *
 * `whole`, the default: what it read stays true until its commit, as if such bodies ran one after the other. Engines
 * that run several at once make it so by trying again, which is dear where many change the same rows.
 *
 * `statements`: each statement is atomic and sees what is committed when it begins; what the body read before may have
 * changed since. It is for bodies that many run at once on the same rows and that are right all the same: what must not
 * happen twice is a constraint or a conditional statement whose row count is looked at, counts are changed by adding,
 * and whatever else they decide from a read would be as right had they run a moment earlier. Each says why it is so.
 * A `whole` body can rely on meeting them only in rows that both change.
 */
export type Isolation = 'serializable' | 'read-committed';

/**
 * A database. Feature code never asks which one.
 *
 * Inside a transaction body await only `tx`: using the engine itself there throws, as it would wait for itself.
 */
export interface Engine extends Queryable {
  /** Full-text search over posts. */
  readonly search: SearchIndex;
  /** Its matches counted, while others are served. */
  readonly searchCounter: SearchCounter;
  /**
   * Runs `body` in one transaction and resolves when it is durable ("acknowledged means on disk", ARCHITECTURE.md).
   * The body may run several times (busy, serialization failure, deadlock): it must have no effects outside `tx`.
   * A body that throws leaves nothing behind and its error is rethrown. `name` labels the transaction in logs.
   * Throws AlreadyExists, and StorageUnavailable when the database cannot serve, as all methods do. After
   * StorageUnavailable the writes may still turn up: the commit was made, but not confirmed by the disk.
   */
  tx<T>(name: string, body: (tx: Tx) => Promise<T>, isolation?: Isolation): Promise<T>;
  /**
   * A number that grows whenever rows of these tables were changed or removed by anybody, other processes included, or
   * added to those that cached-tables.ts calls complete. It is never behind a commit of this process, nor behind one of
   * another process that was acknowledged before a `catchUp` that has resolved. Asking costs next to nothing: caches
   * ask at every use (row-cache.ts). Throws for a table that is not in cached-tables.ts where the others would have to tell.
   */
  changesIn(tables: readonly string[]): () => number;
  /**
   * Hears of every change that was acknowledged by any process before the call; asked once at the start of whatever
   * uses caches, a request or a job. Undefined where there is nothing to wait for. Never rejects: when nothing can be
   * heard, `changesIn` grows at every use, and nothing is kept.
   */
  catchUp(): Promise<void> | undefined;
  /** Measures the database, in some milliseconds. */
  figures(): Promise<DatabaseFigures>;
  /**
   * Writes a consistent copy of the whole database to a new file (0600) while others read and write. Throws
   * AlreadyExists for a file that exists.
   */
  backup(file: string): Promise<void>;
  /** Lets what was asked for end, then closes; every later use throws StorageUnavailable. */
  close(): Promise<void>;
}

/** How large a database is and how much it is used. */
export interface DatabaseFigures {
  readonly bytes: number;
  /** From all processes and programs; undefined where nobody counts them. */
  readonly connections?: number;
}

/** How the column types and table options of migrations are spelled; the rest of the text is shared. */
export interface Ddl {
  /** A 64-bit id that is the whole primary key. */
  readonly idKey: string;
  /** Ends a CREATE TABLE whose primary key has several columns or is no id: rows are kept in key order if possible. */
  readonly clustered: string;
  /** The statements that make what the engine's `SearchIndex` works on. */
  readonly searchIndex: readonly string[];
  /** The statements of step 15 of the schema that make the index forget and learn anew what it holds in an older layout. */
  readonly searchAnew: readonly string[];
}
