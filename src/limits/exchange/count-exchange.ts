import type { NonceStore } from '../nonces.js';
import type { RateWindowStore } from '../rate-windows.js';
import { createDatabaseExchange, type DatabaseExchangeDeps } from './database-exchange.js';
import { createExchangedCounts } from './exchanged-counts.js';
import { createWorkerExchange, type WorkerChannel } from './worker-channel.js';

/** What requests count against: counts of this process at once, those of other processes some time after. */
export interface CountExchange {
  readonly windows: RateWindowStore;
  readonly nonces: NonceStore;
  /** Receives what other processes, and earlier ones, published. Call it before the first request. Throws what the engine throws. */
  begin(): Promise<void>;
  /** Exchanges with other servers from now on, twice a second. */
  start(): void;
  /** Exchanges once with other servers. Never rejects. */
  run(): Promise<void>;
  /** Publishes what is left, and ends what `begin` and `start` began. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

export interface CountExchangeDeps extends Omit<DatabaseExchangeDeps, 'counts'> {
  /** To the other workers of the server; absent for a server of one process. */
  readonly channel?: WorkerChannel;
}

/**
 * Creates the exchange of one process: with the other workers of its server over their channel, with other servers over
 * the database. docs/behaviour.md#several-processes says what limits let through.
 */
export function createCountExchange({ channel, ...deps }: CountExchangeDeps): CountExchange {
  const counts = createExchangedCounts();
  const sender = String(deps.server.id);
  const workers = channel && createWorkerExchange({ counts, channel, clock: deps.clock, sender });
  const database = createDatabaseExchange({ ...deps, counts });
  return {
    windows: counts.windows,
    nonces: counts.nonces,
    begin: async () => {
      await workers?.begin();
      await database.begin();
    },
    start: database.start,
    run: database.run,
    stop: async () => {
      await workers?.stop();
      await database.stop();
    },
  };
}
