import type { FeedEvent } from '../core/feed-event.js';
import type { Sql, SqlValue } from './sql.js';

/** A row by column name. Integers may arrive as bigint or number: decode them with `database/sql.ts`. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Reads committed data or, inside a transaction, what the transaction sees. */
export interface Queryable {
  all(query: Sql): Promise<Row[]>;
  get(query: Sql): Promise<Row | undefined>;
}

/**
 * The handle of a running transaction: only a transaction can write. A failed statement fails the transaction, as in
 * PostgreSQL: even if the body catches the error, nothing is committed. Where a row may exist, use ON CONFLICT and
 * check the row count.
 */
export interface Tx extends Queryable {
  /** Runs a writing statement. Returns the number of changed rows. For RETURNING use `get` or `all`. */
  run(query: Sql): Promise<number>;
  /** Runs a statement that changes at most one row. Reports whether it did. */
  runOne(query: Sql): Promise<boolean>;
  /**
   * Registers an effect to run after the commit: once, however often the body was retried, and before `tx` resolves.
   * Its errors are logged.
   */
  afterCommit(effect: () => void): void;
  /** Names what the transaction does, for the feed (feed.ts). Only stores call it, where they write. */
  emit(event: FeedEvent): void;
  /** Gives a new row to caches, so that they need not read it. Only stores call it, where they write. */
  stored(table: string, key: bigint, row: Row): void;
}
