import type { Engine } from '../../database/engine.js';
import { closeServer, forgetServers, insertTally, markServer, type Server } from '../../stores/servers.js';
import type { ExchangedCounts } from './exchanged-counts.js';
import { packTally } from './tally.js';

/** Publishes in the database what this process counts. */
export interface TallyPublisher {
  /**
   * Publishes what is pending: nonces always, as a server that starts later must know them, windows if another server
   * runs. Returns true when nothing is left. Throws what the engine throws; the next call publishes everything again then.
   */
  publish(hasReaders: boolean, nowMs: number): Promise<boolean>;
  /** Once a minute: marks this server as running, and deletes old tallies, servers and windows. */
  upkeep(nowMs: number): Promise<void>;
  /** Marks this server as ended, with everything published. */
  close(nowMs: number): Promise<void>;
}

export interface TallyPublisherDeps {
  readonly engine: Engine;
  readonly server: Server;
  readonly counts: ExchangedCounts;
}

const UPKEEP_MS = 60_000;
/** How long tallies can be read: longer than nonces are accepted, and than the interval between republications. */
const KEPT_MS = 900_000;
/** Running windows are published again after so long, for servers that start later. */
const REPUBLISH_MS = 300_000;

/** A tally has some 100 kB at most; the rest follows in the next. */
const MAX_WINDOWS = 2_000;
const MAX_NONCES = 4_000;

export function createTallyPublisher({ engine, server, counts }: TallyPublisherDeps): TallyPublisher {
  const outbox = counts.openOutbox();
  let lastTally = 0;
  let upkeepAtMs = -Infinity;
  let republishedAtMs = -Infinity;
  /** Whether every change of a window up to now was published to a reader. */
  let isPublished = false;
  /** Nonces may be neither published nor pending. */
  let hasFailed = false;

  const prepareWindows = (hasReaders: boolean, nowMs: number): void => {
    if (!hasReaders) return outbox.discardWindows();
    if (isPublished && Math.abs(nowMs - republishedAtMs) < REPUBLISH_MS) return;
    outbox.addWindows();
    republishedAtMs = nowMs;
  };

  const publishOne = async (nowMs: number): Promise<boolean> => {
    const tally = outbox.take(MAX_WINDOWS, MAX_NONCES);
    if (tally.windows.length === 0 && tally.nonces.length === 0) return true;
    // A commit that fails may still have reached the disk: its number is not used again.
    lastTally += 1;
    const number = lastTally;
    await engine.tx(
      'publish tally',
      async (tx) => {
        await insertTally(tx, server.id, { number, tally: JSON.stringify(packTally(tally)) }, nowMs);
        await markServer(tx, server, { seenAtMs: nowMs, lastTally: number });
      },
      'read-committed',
    );
    return tally.windows.length < MAX_WINDOWS && tally.nonces.length < MAX_NONCES;
  };

  return {
    publish: async (hasReaders, nowMs) => {
      prepareWindows(hasReaders, nowMs);
      if (hasFailed) outbox.addNonces();
      isPublished = false;
      hasFailed = true;
      const isComplete = await publishOne(nowMs);
      hasFailed = false;
      isPublished = hasReaders;
      return isComplete;
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
      counts.sweep(nowMs);
      upkeepAtMs = nowMs;
    },
  };
}
