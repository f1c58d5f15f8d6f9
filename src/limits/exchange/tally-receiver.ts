import type { ServerId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { listTallies, type SeenServer } from '../../stores/servers.js';
import type { ExchangedCounts } from './exchanged-counts.js';
import { unpackTally, type PackedTally } from './tally.js';

export interface TallyReceiverDeps {
  readonly engine: Engine;
  readonly counts: ExchangedCounts;
}

const TALLIES_AT_ONCE = 20;

/** Creates the receiver of other servers' publications in the database. */
export function createTallyReceiver({ engine, counts }: TallyReceiverDeps) {
  let receivedUpTo = new Map<ServerId, number>();

  const receiveFrom = async ({ id, lastTally }: SeenServer, nowMs: number): Promise<number> => {
    let received = receivedUpTo.get(id) ?? 0;
    while (received < lastTally) {
      const tallies = await listTallies(engine, id, received, TALLIES_AT_ONCE);
      for (const { tally } of tallies) {
        counts.receive(String(id), unpackTally(JSON.parse(tally) as PackedTally), nowMs);
      }
      // Old tallies have been deleted.
      received = tallies.at(-1)?.number ?? lastTally;
    }
    return received;
  };

  return {
    /** Receives what these servers published since the last call. Throws the engine's errors. */
    receive: async (servers: readonly SeenServer[], nowMs: number) => {
      const received = new Map<ServerId, number>();
      for (const server of servers) received.set(server.id, await receiveFrom(server, nowMs));
      receivedUpTo = received;
    },
  };
}
