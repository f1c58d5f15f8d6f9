import type { ServerId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { listTallies, type SeenServer } from '../../stores/servers.js';
import type { NonceStore } from '../nonces.js';
import type { ExchangedWindows } from './exchanged-windows.js';
import { decodeTally } from './tally.js';

/** Hears what the other servers tell. */
export interface Hearing {
  /** Takes in what these servers told since the last time. Throws what the engine throws. */
  hear(servers: readonly SeenServer[], nowMs: number): Promise<void>;
}

export interface HearingDeps {
  readonly engine: Engine;
  readonly windows: ExchangedWindows;
  readonly nonces: NonceStore;
}

const TALLIES_AT_ONCE = 20;

export function createHearing({ engine, windows, nonces }: HearingDeps): Hearing {
  let heardUpTo = new Map<ServerId, number>();

  const hearOne = async ({ id, lastTally }: SeenServer, nowMs: number): Promise<number> => {
    let heard = heardUpTo.get(id) ?? 0;
    while (heard < lastTally) {
      const tallies = await listTallies(engine, id, heard, TALLIES_AT_ONCE);
      for (const { tally } of tallies) {
        const told = decodeTally(tally);
        windows.hear(id, told.windows, nowMs);
        for (const nonce of told.nonces) nonces.learn(nonce, nowMs);
      }
      // Old ones are not there any more.
      heard = tallies.at(-1)?.number ?? lastTally;
    }
    return heard;
  };

  return {
    hear: async (servers, nowMs) => {
      const heard = new Map<ServerId, number>();
      for (const server of servers) heard.set(server.id, await hearOne(server, nowMs));
      heardUpTo = heard;
    },
  };
}
