import { createDatabaseExchange, type DatabaseExchangeDeps } from './database-exchange.js';
import { createExchangedCounts, type ExchangedCounts } from './exchanged-counts.js';
import type { Clock } from '../../core/clock.js';
import { delayed } from '../../core/timers.js';
import { packTally, unpackTally, type PackedTally } from './tally.js';

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
    /** The workers of one start share it. */
    groupId: deps.server.groupId,
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

/** A tally sent to other workers. */
export interface Publication {
  readonly sender: string;
  readonly tally: PackedTally;
}

/** A worker's channel to the relay of its server (`count-relay.ts`). */
export interface WorkerChannel {
  /** Resolves after `receive` was called with all earlier publications; later ones follow as they arrive. */
  join(receive: (publications: readonly Publication[]) => void): Promise<void>;
  /** Resolves when the publication is sent or cannot be sent. */
  publish(publication: Publication): Promise<void>;
}

export interface WorkerExchangeDeps {
  readonly counts: ExchangedCounts;
  readonly channel: WorkerChannel;
  readonly clock: Clock;
  /** Unique among the workers of the server, including earlier ones. */
  readonly sender: string;
}

/** Workers publish at multiples of this interval, all at once, so that the relay sends each of them one message. */
const INTERVAL_MS = 20;

/**
 * Creates the exchange of a worker's counts with the others of its server. Requests do not wait for it; see
 * docs/behaviour.md#several-processes for the accuracy.
 */
export function createWorkerExchange({ counts, channel, clock, sender }: WorkerExchangeDeps) {
  const publish = async (): Promise<void> => {
    const tally = outbox.take();
    if (tally.windows.length === 0 && tally.nonces.length === 0) return;
    await channel.publish({ sender, tally: packTally(tally) });
  };
  const untilNextInterval = (): number => INTERVAL_MS - (clock() % INTERVAL_MS);
  const outbox = counts.openOutbox(delayed(() => void publish(), untilNextInterval));
  const receive = (publications: readonly Publication[]): void => {
    const nowMs = clock();
    for (const publication of publications) {
      counts.receive(publication.sender, unpackTally(publication.tally), nowMs);
    }
  };
  return {
    /** Resolves when the worker has received the current counts and nonces of the others. */
    begin: () => channel.join(receive),
    /** Publishes the remaining counts. */
    stop: publish,
  };
}
