import type { Clock } from '../../core/clock.js';
import type { ServerId } from '../../core/ids.js';
import { createLoop } from '../../core/loop.js';
import type { Engine } from '../../database/engine.js';
import type { StorageLog } from '../../database/storage-log.js';
import { listOtherServers, listTallies, type SeenServer } from '../../stores/servers.js';
import { TIMESTAMP_AHEAD_SECONDS, TIMESTAMP_SKEW_SECONDS } from '../nonces.js';
import type { ExchangedCounts } from './exchanged-counts.js';
import { createTallyPublisher, type TallyPublisherDeps } from './tally-publisher.js';
import { unpackTally, type PackedTally } from './tally.js';

export interface DatabaseExchangeDeps extends TallyPublisherDeps {
  readonly clock: Clock;
  readonly log: StorageLog;
  /** The start time of the server's first worker. */
  readonly startedAtMs: number;
}

const TALLIES_AT_ONCE = 20;
/** A count reaches other servers after two intervals and a few statements. */
const INTERVAL_MS = 500;
/** A server updates its mark every minute. It counts as ended after three minutes without an update. */
const GONE_MS = 180_000;
/** A nonce claimed in the minute after a server's last mark may have a timestamp that stays valid for this long. */
const UNPUBLISHED_MS = 60_000 + (TIMESTAMP_AHEAD_SECONDS + TIMESTAMP_SKEW_SECONDS) * 1000;

/**
 * Creates an exchange of counts twice a second over the database: requests cost no statement. A server without others
 * publishes only its nonces, which stay known after a restart. If an earlier server was killed, or another server
 * runs, some nonces may be unknown; timestamps before the start are then refused.
 */
export function createDatabaseExchange(deps: DatabaseExchangeDeps) {
  const { engine, clock, log, server, startedAtMs, counts } = deps;
  const publisher = createTallyPublisher({ engine, server, counts });
  const receive = createReceiver(engine, counts);
  let isFailing = false;
  let isOpen = false;

  /** Exchanges once. Returns true if nothing is left to publish. */
  const exchange = async (): Promise<boolean> => {
    const nowMs = clock();
    await publisher.upkeep(nowMs);
    const others = await listOtherServers(engine, server.groupId);
    const isComplete = await publisher.publish(others.some(isRunning(nowMs)), nowMs);
    await receive(others, nowMs);
    isFailing = false;
    return isComplete;
  };
  const close = async (): Promise<void> => {
    for (let isComplete = false; !isComplete;) isComplete = await exchange();
    await publisher.close(clock());
  };
  const fail = (err: unknown): void => {
    // Logs once per outage.
    if (!isFailing)
      log.warn(
        { err },
        'cannot exchange counts with other servers: each server counts separately until the exchange succeeds',
      );
    isFailing = true;
  };
  const loop = createLoop({ work: exchange, onError: fail, everyMs: INTERVAL_MS });

  return {
    run: () => exchange().then(() => undefined, fail),
    begin: async () => {
      isOpen = true;
      const others = await listOtherServers(engine, server.groupId);
      if (others.some(hasUnpublished(clock()))) counts.forgetBefore(startedAtMs);
      await exchange();
    },
    start: loop.start,
    stop: async () => {
      await loop.stop();
      if (!isOpen) return;
      isOpen = false;
      await close().catch(fail);
    },
  };
}

/** Creates a function that receives what servers have published since its last call. */
function createReceiver(engine: Engine, counts: ExchangedCounts) {
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

  return async (servers: readonly SeenServer[], nowMs: number): Promise<void> => {
    const received = new Map<ServerId, number>();
    for (const server of servers) received.set(server.id, await receiveFrom(server, nowMs));
    receivedUpTo = received;
  };
}

/** Returns a check for servers that run. A killed one counts as running for three minutes. */
export function isRunning(nowMs: number): (server: SeenServer) => boolean {
  return ({ seenAtMs, isClosed }) => !isClosed && Math.abs(nowMs - seenAtMs) < GONE_MS;
}

/** Returns a check for servers that may have claimed, but not published, nonces with valid timestamps. */
function hasUnpublished(nowMs: number): (server: SeenServer) => boolean {
  return ({ seenAtMs, isClosed }) => !isClosed && seenAtMs > nowMs - UNPUBLISHED_MS;
}
