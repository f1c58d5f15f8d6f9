import type { Row, Tx } from '../engine.js';
import type { Sql } from '../sql.js';
import type { Connection } from './connection.js';
import { ChangeSet } from '../effect.js';

/** A running transaction, as seen by its runner. */
export interface OpenTransaction {
  readonly tx: Tx;
  readonly effects: readonly (() => void)[];
  /** The error of the first failed statement; if set, the transaction must not be committed. */
  readonly failure: unknown;
  /** True once a statement ran that could change the database, even if it changed no row. */
  readonly mayHaveWritten: boolean;
  /** What the executed statements changed. */
  readonly changes: ChangeSet;
  /** Makes every later use of `tx` throw. */
  end(): void;
}

/**
 * Creates the handle for a body. As in PostgreSQL, a failed statement fails the transaction, and later statements
 * throw too. (SQLite itself would continue after a constraint violation, and after a full disk would run statements
 * outside the transaction that it has rolled back.)
 */
export function openTransaction(connection: Connection, name: string): OpenTransaction {
  const effects: (() => void)[] = [];
  let failure: unknown;
  let hasEnded = false;
  let mayHaveWritten = false;
  const changes = new ChangeSet();

  const requireOpen = (): void => {
    if (hasEnded) throw new Error(`transaction ${name} has ended`);
    if (failure !== undefined) throw new Error(`transaction ${name} has failed`, { cause: failure });
  };

  const execute = <T>(query: Sql, work: (query: Sql) => T): T => {
    requireOpen();
    try {
      const { isRead, effect } = connection.kindOf(query);
      if (!isRead) {
        mayHaveWritten = true;
        changes.add(effect, query.params);
      }
      return work(query);
    } catch (error) {
      failure = error;
      throw error;
    }
  };

  return {
    tx: {
      all: async (query): Promise<Row[]> => execute(query, connection.all),
      get: async (query): Promise<Row | undefined> => execute(query, connection.get),
      run: async (query): Promise<number> => execute(query, connection.run),
      afterCommit: (effect) => {
        requireOpen();
        effects.push(effect);
      },
    },
    effects,
    get failure() {
      return failure;
    },
    get mayHaveWritten() {
      return mayHaveWritten;
    },
    changes,
    end: () => {
      hasEnded = true;
    },
  };
}
