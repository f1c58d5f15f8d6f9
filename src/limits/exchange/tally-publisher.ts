import type { Engine } from '../../database/engine.js';
import { closeServer, forgetServers, insertTally, markServer, type Server } from '../../stores/servers.js';
import type { ExchangedCounts } from './exchanged-counts.js';
import { packTally } from './tally.js';

export interface TallyPublisherDeps {
  readonly engine: Engine;
  readonly server: Server;
  readonly counts: ExchangedCounts;
}

const UPKEEP_MS = 60_000;
/** The lifetime of tallies: longer than the validity of nonces and than the interval between republications. */
const KEPT_MS = 900_000;
/** The interval after which running windows are published again, for servers that start later. */
const REPUBLISH_MS = 300_000;

/** Limits a tally to about 100 kB; further entries follow in the next one. */
const MAX_WINDOWS = 2_000;
const MAX_NONCES = 4_000;

/** Creates the publisher of this process's counts in the database. */
export function createTallyPublisher({ engine, server, counts }: TallyPublisherDeps) {
  const outbox = counts.openOutbox();
  let lastTally = 0;
  let upkeepAtMs = -Infinity;
  let republishedAtMs = -Infinity;
  /** True if every window change so far was published to a reader. */
  let isPublished = false;
  /** True after a failure: nonces may be neither published nor pending. */
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
    // Not reused after a failed commit, which may still have reached the disk.
    lastTally += 1;
    const number = lastTally;
    await engine.tx(
      'publish tally',
      async (tx) => {
        await insertTally(tx, server.id, number, nowMs, JSON.stringify(packTally(tally)));
        await markServer(tx, server, { seenAtMs: nowMs, lastTally: number });
      },
      'read-committed',
    );
    return tally.windows.length < MAX_WINDOWS && tally.nonces.length < MAX_NONCES;
  };

  return {
    /**
     * Publishes pending entries: nonces always, since a later server must know them; windows only if another server
     * runs. Returns true if nothing is left. Throws the engine's errors; the next call then publishes everything again.
     */
    publish: async (hasReaders: boolean, nowMs: number) => {
      prepareWindows(hasReaders, nowMs);
      if (hasFailed) outbox.addNonces();
      isPublished = false;
      hasFailed = true;
      const isComplete = await publishOne(nowMs);
      hasFailed = false;
      isPublished = hasReaders;
      return isComplete;
    },
    /** Marks this server as ended, with everything published. */
    close: (nowMs: number) =>
      engine.tx('close server', (tx) => closeServer(tx, server, nowMs), 'read-committed'),
    /** Once a minute, marks this server as running and deletes old tallies, servers and windows. */
    upkeep: async (nowMs: number) => {
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
