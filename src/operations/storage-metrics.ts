import { createHistogram, histogram, WAIT_BOUNDS } from '../core/histogram.js';
import { counter, gauge, sample, Tally, type CollectMetrics, type Metrics } from '../core/metrics.js';
import type { CacheUse, Engine, Tx } from '../database/engine.js';
import { aroundReads, aroundStatements } from './around-statements.js';

/** What a process asked of its database. */
class StorageCounts {
  reads = 0;
  transactions = 0;
  statementsInTransactions = 0;
  /** Transactions that are not acknowledged yet. */
  waiting = 0;
  readonly durations = createHistogram(WAIT_BOUNDS);
  /** By the names that the code gives them. */
  readonly seconds = new Tally();

  async time<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    this.waiting += 1;
    try {
      return await work();
    } finally {
      const seconds = (performance.now() - startedMs) / 1000;
      this.waiting -= 1;
      this.durations.observe(seconds);
      this.seconds.add(name, seconds);
    }
  }
}

/** Returns the engine with counts of its use, and the metrics of these and of its caches. */
export function measureStorage(engine: Engine): {
  readonly engine: Engine;
  readonly collect: CollectMetrics;
} {
  const counts = new StorageCounts();
  const measured: Engine = {
    ...engine,
    ...aroundReads(engine, (_query, run) => {
      counts.reads += 1;
      return run();
    }),
    tx: (name, body, isolation) => {
      const run = (tx: Tx) => {
        counts.transactions += 1;
        const counted = aroundStatements(tx, (_query, statement) => {
          counts.statementsInTransactions += 1;
          return statement();
        });
        return body(counted);
      };
      return counts.time(name, () => engine.tx(name, run, isolation));
    },
  };
  return {
    engine: measured,
    collect: () => [...storageMetrics(counts), ...engine.collect(), ...cacheMetrics(engine)],
  };
}

function storageMetrics(counts: StorageCounts): Metrics {
  return [
    counter('pipit_statements_total', 'Statements outside and inside of transactions.', [
      sample({ kind: 'read' }, counts.reads),
      sample({ kind: 'transaction' }, counts.statementsInTransactions),
    ]),
    counter('pipit_transactions_total', 'Transactions, with those that were repeated.', counts.transactions),
    histogram(
      'pipit_transaction_duration_seconds',
      'Time from the start of a transaction to its acknowledgement, on disk.',
      counts.durations,
    ),
    counter(
      'pipit_transaction_seconds_total',
      'Time that transactions took, by name.',
      counts.seconds.samples('transaction'),
    ),
    gauge('pipit_transactions_waiting', 'Transactions that are not acknowledged yet.', counts.waiting),
  ];
}

function cacheMetrics({ caches }: Engine): Metrics {
  const uses = [...(caches?.byName ?? [])];
  const samples = (value: keyof CacheUse) => uses.map(([cache, use]) => sample({ cache }, use[value]));
  return [
    counter('pipit_cache_hits_total', 'Values that were found in a cache.', samples('hits')),
    counter(
      'pipit_cache_misses_total',
      'Values that were read because they were not cached.',
      samples('misses'),
    ),
    gauge('pipit_cache_entries', 'Values in a cache.', samples('entries')),
    gauge('pipit_cache_bytes', 'Memory of these values, as estimated.', samples('bytes')),
    gauge('pipit_cache_limit_bytes', 'The memory that all caches may use.', caches?.bytes ?? 0),
  ];
}
