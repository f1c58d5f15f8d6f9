import { counter, sample, type Metrics } from '../core/metrics.js';
import type { Engine, Queryable, Tx } from '../database/engine.js';

/** What a process asked of its database. */
interface StorageCounts {
  reads: number;
  transactions: number;
  statementsInTransactions: number;
}

/** Returns the engine with counts of its use, and the metrics of these and of its caches. */
export function measureStorage(engine: Engine): { readonly engine: Engine; readonly collect: () => Metrics } {
  const counts: StorageCounts = { reads: 0, transactions: 0, statementsInTransactions: 0 };
  const inTransaction = () => (counts.statementsInTransactions += 1);
  const measured: Engine = {
    ...engine,
    ...counting(engine, () => (counts.reads += 1)),
    tx: (name, body, isolation) => {
      const run = (tx: Tx) => {
        counts.transactions += 1;
        return body(countingTx(tx, inTransaction));
      };
      return engine.tx(name, run, isolation);
    },
  };
  return { engine: measured, collect: () => [...storageMetrics(counts), ...cacheMetrics(engine)] };
}

function counting(db: Queryable, count: () => void): Queryable {
  return {
    all: (query) => {
      count();
      return db.all(query);
    },
    get: (query) => {
      count();
      return db.get(query);
    },
  };
}

function countingTx(tx: Tx, count: () => void): Tx {
  return {
    ...counting(tx, count),
    run: (query) => {
      count();
      return tx.run(query);
    },
    runOne: (query) => {
      count();
      return tx.runOne(query);
    },
    afterCommit: tx.afterCommit,
    emit: tx.emit,
  };
}

function storageMetrics({ reads, transactions, statementsInTransactions }: StorageCounts): Metrics {
  const statements = [
    sample({ kind: 'read' }, reads),
    sample({ kind: 'transaction' }, statementsInTransactions),
  ];
  return [
    counter('pipit_statements_total', 'Statements outside and inside of transactions.', statements),
    counter('pipit_transactions_total', 'Transactions, with those that were repeated.', transactions),
  ];
}

function cacheMetrics({ caches }: Engine): Metrics {
  const uses = [...(caches?.byName ?? [])];
  const samples = (value: 'hits' | 'misses') => uses.map(([cache, use]) => sample({ cache }, use[value]));
  return [
    counter('pipit_cache_hits_total', 'Values that were found in a cache.', samples('hits')),
    counter(
      'pipit_cache_misses_total',
      'Values that were read because they were not cached.',
      samples('misses'),
    ),
  ];
}
