import { createHistogram, histogram } from '../core/histogram.js';
import { counter, gauge, type Metrics } from '../core/metrics.js';

/** Bounds of the histogram, in seconds: the first suit a disk with a protected cache, the last an overloaded one. */
const SYNC_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** The connections to a database server of one process. */
export interface PoolFigures {
  readonly open: number;
  readonly idle: number;
  /** How much work waits for a connection. */
  readonly waiting: number;
}

/** Counts what an engine does inside: in plain fields, since every transaction counts. */
export class EngineCounts {
  readonly #syncs = createHistogram(SYNC_BOUNDS);
  #synced = 0;
  #retries = 0;

  /** Waits for the disk and measures the time, also of a failure. */
  async sync(work: () => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    try {
      await work();
    } finally {
      this.#syncs.observe((performance.now() - startedMs) / 1000);
    }
  }

  /** Counts transactions that wait for the same sync. */
  addSynced(transactions: number): void {
    this.#synced += transactions;
  }

  /** Counts a transaction that met another one and has to run again. */
  addRetry(): void {
    this.#retries += 1;
  }

  collect(pool?: PoolFigures): Metrics {
    return [
      histogram(
        'pipit_disk_sync_seconds',
        'How long a disk sync takes; the transactions that wait share one.',
        this.#syncs,
      ),
      counter(
        'pipit_synced_transactions_total',
        'Transactions that waited for a disk sync: divided by the syncs, the size of a group commit.',
        this.#synced,
      ),
      counter(
        'pipit_transaction_retries_total',
        'Transactions that ran again because they met another one.',
        this.#retries,
      ),
      ...(pool ? poolMetrics(pool) : []),
    ];
  }
}

function poolMetrics({ open, idle, waiting }: PoolFigures): Metrics {
  return [
    gauge('pipit_pool_connections', 'Connections of this process to the database.', open),
    gauge('pipit_pool_idle_connections', 'Those that nothing uses.', idle),
    gauge('pipit_pool_waiting', 'Reads and transactions that wait for a connection.', waiting),
  ];
}
