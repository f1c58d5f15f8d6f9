import type { Engine } from '../../database/engine.js';
import { closeServer, forgetServers, insertTally, markServer, type Server } from '../../stores/servers.js';
import type { ExchangedNonces } from './exchanged-nonces.js';
import type { ExchangedWindows } from './exchanged-windows.js';
import { encodeTally } from './tally.js';

/** Tells the other servers what this one counts. */
export interface Telling {
  /**
   * Tells what was not told yet: nonces always, as whoever starts later must know them, windows if anybody listens. True
   * when that was all. Throws what the engine throws; the next call tells all again then.
   */
  tell(isAnybodyThere: boolean, nowMs: number): Promise<boolean>;
  /** Once a minute: says that this server is there, and forgets what all servers told long ago and what has ended. */
  upkeep(nowMs: number): Promise<void>;
  /** Says that all was told and nothing more will be. */
  close(nowMs: number): Promise<void>;
}

export interface TellingDeps {
  readonly engine: Engine;
  readonly server: Server;
  readonly windows: ExchangedWindows;
  readonly nonces: ExchangedNonces;
}

const UPKEEP_MS = 60_000;
/** So long tallies can be read: longer than nonces are accepted, and than it takes until windows are told again. */
const KEPT_MS = 900_000;
/** Windows that run are told again after so long, for who comes later. */
const RETOLD_MS = 300_000;

/** A tally has some 100 kB at most; what goes beyond is told with the next. */
const MAX_WINDOWS_TOLD = 2_000;
const MAX_NONCES_TOLD = 4_000;

export function createTelling({ engine, server, windows, nonces }: TellingDeps): Telling {
  let lastTally = 0;
  let upkeepAtMs = -Infinity;
  let retoldAtMs = -Infinity;
  /** Whether somebody heard all windows that were told up to now. */
  let isHeard = false;
  /** Nonces may be neither told nor waiting to be. */
  let hasFailed = false;

  const prepareWindows = (isAnybodyThere: boolean, nowMs: number): void => {
    if (!isAnybodyThere) return windows.discardPending();
    if (isHeard && Math.abs(nowMs - retoldAtMs) < RETOLD_MS) return;
    windows.retell();
    retoldAtMs = nowMs;
  };

  const tellOne = async (nowMs: number): Promise<boolean> => {
    const told = {
      windows: windows.takePending(MAX_WINDOWS_TOLD),
      nonces: nonces.takePending(MAX_NONCES_TOLD),
    };
    if (told.windows.length === 0 && told.nonces.length === 0) return true;
    // A commit that fails may still turn up: its number is not used again.
    lastTally += 1;
    const number = lastTally;
    await engine.tx(
      'tell tally',
      async (tx) => {
        await insertTally(tx, server.id, { number, tally: encodeTally(told) }, nowMs);
        await markServer(tx, server, { seenAtMs: nowMs, lastTally: number });
      },
      'read-committed',
    );
    return told.windows.length < MAX_WINDOWS_TOLD && told.nonces.length < MAX_NONCES_TOLD;
  };

  return {
    tell: async (isAnybodyThere, nowMs) => {
      prepareWindows(isAnybodyThere, nowMs);
      if (hasFailed) nonces.retell();
      isHeard = false;
      hasFailed = true;
      const isAll = await tellOne(nowMs);
      hasFailed = false;
      isHeard = isAnybodyThere;
      return isAll;
    },
    close: (nowMs) => engine.tx('close server', (tx) => closeServer(tx, server, nowMs), 'read-committed'),
    upkeep: async (nowMs) => {
      if (Math.abs(nowMs - upkeepAtMs) < UPKEEP_MS) return;
      await engine.tx(
        'mark server',
        async (tx) => {
          await markServer(tx, server, { seenAtMs: nowMs, lastTally });
          await forgetServers(tx, nowMs - KEPT_MS);
        },
        'read-committed',
      );
      windows.sweep(nowMs);
      upkeepAtMs = nowMs;
    },
  };
}
