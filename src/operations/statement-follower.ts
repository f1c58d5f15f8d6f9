import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { Engine, Queryable, Tx } from '../database/engine.js';
import type { Sql } from '../database/sql.js';
import type { RanStatement } from '../journal/entry.js';
import { statementText } from './statement-text.js';

/** Bounds what is kept of one request. */
const MAX_STATEMENTS = 100;

/**
 * Notes which statements a request runs, without their parameters. Every asynchronous step of the process costs more
 * while requests are followed, so only sandboxes do.
 */
export class StatementFollower {
  readonly #current = new AsyncLocalStorage<RanStatement[]>();

  /** Runs work whose statements are added to the list, also those after an asynchronous step. */
  run<T>(statements: RanStatement[], work: () => T): T {
    return this.#current.run(statements, work);
  }

  /**
   * Returns the engine, followed. Statements of the search index and of background work are left out, and so are those
   * that a cache makes unnecessary.
   */
  readonly follow = (engine: Engine): Engine => ({
    ...engine,
    ...this.#reads(engine, () => this.#current.getStore()),
    tx: (name, body, isolation) => {
      // The body may run in the context of another request, whose commit it shares.
      const statements = this.#current.getStore();
      return engine.tx(name, (tx) => body(statements ? this.#followTx(tx, statements) : tx), isolation);
    },
  });

  #followTx(tx: Tx, statements: RanStatement[]): Tx {
    return {
      ...this.#reads(tx, () => statements),
      run: (query) => timed(statements, query, () => tx.run(query)),
      runOne: (query) => timed(statements, query, () => tx.runOne(query)),
      afterCommit: tx.afterCommit,
      emit: tx.emit,
      stored: tx.stored,
    };
  }

  #reads(db: Queryable, current: () => RanStatement[] | undefined): Queryable {
    return {
      all: (query) => timed(current(), query, () => db.all(query)),
      get: (query) => timed(current(), query, () => db.get(query)),
    };
  }
}

async function timed<T>(
  statements: RanStatement[] | undefined,
  query: Sql,
  work: () => Promise<T>,
): Promise<T> {
  if (statements === undefined || statements.length >= MAX_STATEMENTS) return work();
  const startedMs = performance.now();
  try {
    return await work();
  } finally {
    statements.push({ text: statementText(query), elapsedMs: performance.now() - startedMs });
  }
}
