import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../database/engine.js';
import type { StorageLog } from '../../database/storage-log.js';
import { listOtherServers, type SeenServer, type Server } from '../../stores/servers.js';
import { TIMESTAMP_AHEAD_SECONDS, TIMESTAMP_SKEW_SECONDS } from '../nonces.js';
import type { ExchangedCounts } from './exchanged-counts.js';
import { createTallyPublisher } from './tally-publisher.js';
import { createTallyReceiver } from './tally-receiver.js';

/** The exchange with other servers on the database. See `CountExchange`. */
export interface DatabaseExchange {
  begin(): Promise<void>;
  start(): void;
  run(): Promise<void>;
  stop(): Promise<void>;
}

export interface DatabaseExchangeDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: StorageLog;
  readonly server: Server;
  /** When the first worker of this server started. */
  readonly startedAtMs: number;
  readonly counts: ExchangedCounts;
}

/** Other servers know what one counts after two intervals and a few statements. */
const INTERVAL_MS = 500;
/** A server marks itself once a minute. One that has not for three is not running. */
const GONE_MS = 180_000;
/** A nonce claimed in the minute after a server's last mark may have a timestamp that is accepted for so long. */
const UNPUBLISHED_MS = 60_000 + (TIMESTAMP_AHEAD_SECONDS + TIMESTAMP_SKEW_SECONDS) * 1000;

/**
 * Exchanges counts twice a second over the database: a request costs no statement. A server that is alone publishes its
 * nonces alone, so they are still known after a restart. If an earlier server was killed, or another runs, some nonces
 * may be unknown, and timestamps of before the start are refused.
 */
export function createDatabaseExchange(deps: DatabaseExchangeDeps): DatabaseExchange {
  const { engine, clock, log, server, startedAtMs, counts } = deps;
  const publisher = createTallyPublisher({ engine, server, counts });
  const receiver = createTallyReceiver({ engine, counts });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;
  let isOpen = false;

  /** Exchanges once. Returns true when nothing is left to publish. */
  const exchange = async (): Promise<boolean> => {
    const nowMs = clock();
    await publisher.upkeep(nowMs);
    const others = await listOtherServers(engine, server.crew);
    const isComplete = await publisher.publish(others.some(isRunning(nowMs)), nowMs);
    await receiver.receive(others, nowMs);
    isFailing = false;
    return isComplete;
  };
  const close = async (): Promise<void> => {
    for (let isComplete = false; !isComplete;) isComplete = await exchange();
    await publisher.close(clock());
  };
  const fail = (err: unknown): void => {
    // Once, however long it lasts.
    if (!isFailing)
      log.warn({ err }, 'counts cannot be exchanged with other servers: each counts alone until they can');
    isFailing = true;
  };
  const run = (): Promise<void> =>
    (running ??= exchange()
      .then(() => undefined, fail)
      .finally(() => {
        running = undefined;
      }));

  return {
    run,
    begin: async () => {
      isOpen = true;
      const others = await listOtherServers(engine, server.crew);
      if (others.some(hasUnpublished(clock()))) counts.forgetBefore(startedAtMs);
      await exchange();
    },
    start: () => {
      if (timer !== undefined) return;
      timer = setInterval(() => void run(), INTERVAL_MS).unref();
      void run();
    },
    stop: async () => {
      clearInterval(timer);
      timer = undefined;
      await running;
      if (!isOpen) return;
      isOpen = false;
      await close().catch(fail);
    },
  };
}

function isRunning(nowMs: number): (server: SeenServer) => boolean {
  return ({ seenAtMs, isClosed }) => !isClosed && Math.abs(nowMs - seenAtMs) < GONE_MS;
}

/** Whether a server may have claimed nonces that it never published and whose timestamps are accepted. */
function hasUnpublished(nowMs: number): (server: SeenServer) => boolean {
  return ({ seenAtMs, isClosed }) => !isClosed && seenAtMs > nowMs - UNPUBLISHED_MS;
}
