import type { Sql, SqlValue } from './sql.js';

/** A row by column name. Whole numbers may arrive as bigint or number: decode with `database/decode.ts`. */
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
