import type { Sql, SqlValue } from './sql.js';

/** A row by column name. Whole numbers may arrive as bigint or number: decode with `storage/decode.ts`. */
export type Row = Readonly<Record<string, SqlValue>>;

/** What reads take: a snapshot of what is committed, or, inside a transaction, what the transaction sees. */
export interface Queryable {
  all(query: Sql): Promise<Row[]>;
  get(query: Sql): Promise<Row | undefined>;
}

/**
 * The handle of a running transaction: only a transaction can write. A statement that throws has failed the
 * transaction, as PostgreSQL has it: whatever the body makes of the error, nothing is committed. Where a row may exist
 * already, write ON CONFLICT and look at the rows changed.
 */
export interface Tx extends Queryable {
  /** Runs a writing statement; resolves to the number of rows it changed. For RETURNING use `get` or `all`. */
  run(query: Sql): Promise<number>;
  /**
   * Registers an effect for after the commit. It runs once, however often the body was retried, and before `tx` resolves;
   * what it throws is logged.
   */
  afterCommit(effect: () => void): void;
}

/**
 * A database. Feature code never asks which one.
 *
 * Inside a transaction body await only `tx`: using the engine itself there throws, as it would wait for itself.
 */
export interface Engine extends Queryable {
  /**
   * Runs `body` in one transaction and resolves when it is durable ("acknowledged means on disk", design section 2).
   * The body may run several times (busy, serialization failure, deadlock): it must have no effects outside `tx`.
   * A body that throws leaves nothing behind and its error is rethrown. `name` labels the transaction in logs.
   * Throws AlreadyExists, and StorageUnavailable when the database cannot serve, as all methods do. After
   * StorageUnavailable the writes may still turn up: the commit was made, but not confirmed by the disk.
   */
  tx<T>(name: string, body: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * A number that grows whenever rows of these tables were changed or removed by anybody, other processes included;
   * adding rows does not count. It is never behind a commit that was acknowledged before the current turn of the event
   * loop, and behind none of this process. Asking costs next to nothing: caches ask at every use (row-cache.ts).
   */
  changesIn(tables: readonly string[]): () => number;
  /**
   * Writes a consistent copy of the whole database to a new file (0600) while others read and write. Throws
   * AlreadyExists for a file that exists.
   */
  backup(file: string): Promise<void>;
  /** Lets what was asked for end, then closes; every later use throws StorageUnavailable. */
  close(): Promise<void>;
}

/** How the column types and table options of migrations are spelled; the rest of the text is shared. */
export interface Ddl {
  /** A 64-bit id that is the whole primary key. */
  readonly idKey: string;
  /** Ends a CREATE TABLE whose primary key has several columns or is no id: rows are kept in key order if possible. */
  readonly clustered: string;
}
