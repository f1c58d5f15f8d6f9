import type { Clock } from '../../core/clock.js';
import { coalesce } from './coalesce.js';
import type { ExchangedCounts } from './exchanged-counts.js';
import { packTally, unpackTally, type PackedTally } from './tally.js';

/** A tally on its way to other workers. */
export interface Publication {
  readonly sender: string;
  readonly tally: PackedTally;
}

/** How a worker reaches the relay of its server (`count-relay.ts`). */
export interface WorkerChannel {
  /** Resolves when `receive` was called with all that was published before; it is called with the rest as it comes. */
  join(receive: (publications: readonly Publication[]) => void): Promise<void>;
  /** Resolves when the publication is sent, or cannot be. */
  publish(publication: Publication): Promise<void>;
}

/** The exchange of a worker with the others of its server. */
export interface WorkerExchange {
  /** Resolves when the worker has received what the others counted and claimed up to now. */
  begin(): Promise<void>;
  /** Publishes what is left. */
  stop(): Promise<void>;
}

export interface WorkerExchangeDeps {
  readonly counts: ExchangedCounts;
  readonly channel: WorkerChannel;
  readonly clock: Clock;
  /** Unique among the workers of the server, earlier ones included. */
  readonly sender: string;
}

/** Workers publish at multiples of this: all at once, so that the relay passes all on in one message to each. */
const INTERVAL_MS = 20;

/**
 * Publishes what one worker counts to the others of its server, and receives what they count. No request waits for this:
 * docs/behaviour.md#several-processes says what passes meanwhile.
 */
export function createWorkerExchange({ counts, channel, clock, sender }: WorkerExchangeDeps): WorkerExchange {
  const publish = async (): Promise<void> => {
    const tally = outbox.take();
    if (tally.windows.length === 0 && tally.nonces.length === 0) return;
    await channel.publish({ sender, tally: packTally(tally) });
  };
  const untilNextInterval = (): number => INTERVAL_MS - (clock() % INTERVAL_MS);
  const outbox = counts.openOutbox(coalesce(() => void publish(), untilNextInterval));
  const receive = (publications: readonly Publication[]): void => {
    const nowMs = clock();
    for (const publication of publications) {
      counts.receive(publication.sender, unpackTally(publication.tally), nowMs);
    }
  };
  return { begin: () => channel.join(receive), stop: publish };
}
