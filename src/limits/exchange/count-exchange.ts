import { createDatabaseExchange, type DatabaseExchangeDeps } from './database-exchange.js';
import { createExchangedCounts } from './exchanged-counts.js';
import { createWorkerExchange, type WorkerChannel } from './worker-channel.js';

/** The counts that limits check: those of this process at once, those of other processes with a delay. */
export type CountExchange = ReturnType<typeof createCountExchange>;

export interface CountExchangeDeps extends Omit<DatabaseExchangeDeps, 'counts'> {
  /** The channel to the other workers of the server; absent for a single process. */
  readonly channel?: WorkerChannel;
}

/**
 * Creates the exchange of one process: over a channel with the other workers of its server, over the database with
 * other servers. See docs/behaviour.md#several-processes for the accuracy of limits.
 */
export function createCountExchange({ channel, ...deps }: CountExchangeDeps) {
  const counts = createExchangedCounts();
  const sender = String(deps.server.id);
  const workers = channel && createWorkerExchange({ counts, channel, clock: deps.clock, sender });
  const database = createDatabaseExchange({ ...deps, counts });
  return {
    windows: counts.windows,
    nonces: counts.nonces,
    /**
     * Receives what other processes, including earlier ones, have published. Call it before the first request. Throws
     * the engine's errors.
     */
    begin: async () => {
      await workers?.begin();
      await database.begin();
    },
    /** Starts the exchange with other servers, twice a second. */
    start: database.start,
    /** Exchanges once with other servers. Never rejects. */
    run: database.run,
    /** Publishes the remaining counts and stops the exchange. Idempotent. */
    stop: async () => {
      await workers?.stop();
      await database.stop();
    },
  };
}
