import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { Engine, Tx } from '../database/engine.js';
import type { Sql } from '../database/sql.js';
import type { RanStatement } from '../journal/entry.js';
import { aroundReads, aroundStatements } from './around-statements.js';
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
    ...aroundReads(engine, (query, run) => timed(this.#current.getStore(), query, run)),
    tx: (name, body, isolation) => {
      // The body may run in the context of another request, whose commit it shares.
      const statements = this.#current.getStore();
      const followed = (tx: Tx): Tx =>
        statements ? aroundStatements(tx, (query, run) => timed(statements, query, run)) : tx;
      return engine.tx(name, (tx) => body(followed(tx)), isolation);
    },
  });
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
