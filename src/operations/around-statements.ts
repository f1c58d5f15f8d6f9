import type { Queryable, Tx } from '../database/engine.js';
import type { Sql } from '../database/sql.js';

/** Runs a statement and returns its result. */
type Around = <T>(query: Sql, run: () => Promise<T>) => Promise<T>;

/** Returns a database whose reads run inside of `around`. */
export function aroundReads(db: Queryable, around: Around): Queryable {
  return {
    all: (query) => around(query, () => db.all(query)),
    get: (query) => around(query, () => db.get(query)),
  };
}

/** Returns a transaction whose statements run inside of `around`. */
export function aroundStatements(tx: Tx, around: Around): Tx {
  return {
    ...aroundReads(tx, around),
    run: (query) => around(query, () => tx.run(query)),
    runOne: (query) => around(query, () => tx.runOne(query)),
    afterCommit: tx.afterCommit,
    emit: tx.emit,
    stored: tx.stored,
  };
}
