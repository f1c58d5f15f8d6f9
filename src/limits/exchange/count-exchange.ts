import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../database/engine.js';
import { listOtherServers, type SeenServer, type Server } from '../../stores/servers.js';
import type { StorageLog } from '../../database/storage-log.js';
import { createExchangedNonces } from './exchanged-nonces.js';
import type { NonceStore } from '../nonces.js';
import { TIMESTAMP_AHEAD_SECONDS, TIMESTAMP_SKEW_SECONDS } from '../nonces.js';
import { createExchangedWindows } from './exchanged-windows.js';
import type { RateWindowStore } from '../rate-windows.js';
import { createHearing } from './hearing.js';
import { createTelling } from './telling.js';

/** What requests count against: on this server at once, on the others that share its database some time after. */
export interface CountExchange {
  readonly windows: RateWindowStore;
  readonly nonces: NonceStore;
  /** Before the first request: hears what the others, and who was here before, told. Throws what the engine throws. */
  begin(): Promise<void>;
  /** Exchanges from now on, twice a second. */
  start(): void;
  /** One exchange: tells what was not told yet, and hears what others told. Never rejects. */
  run(): Promise<void>;
  /** Ends what `begin` and `start` began, and tells what is left. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

export interface CountExchangeDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: StorageLog;
  readonly server: Server;
  /** When the crew of this server began to count. */
  readonly startedAtMs: number;
  /** What this server's crew counts. */
  readonly windows: RateWindowStore;
  readonly nonces: NonceStore;
}

/** What one server counts, the others know after two of these and a few statements. */
const INTERVAL_MS = 500;
/** Who was not seen for three minutes, and is to be seen once in each, is gone. */
const GONE_MS = 180_000;
/** What a server took in the minute since it was seen last may have a timestamp that is accepted for so long. */
const UNTOLD_MS = 60_000 + (TIMESTAMP_AHEAD_SECONDS + TIMESTAMP_SKEW_SECONDS) * 1000;

/**
 * Servers that share a database count each for itself, and tell each other twice a second what they counted: a request
 * costs no statement. So all together let through what a limit allows, and beyond it no more than what the others let
 * through in the second before it was heard of; never more than the limit each. A nonce that one server took is refused
 * by the others after the same second. A server that is alone tells its nonces alone: they are still known after it was
 * started again. Where a server before it was killed, or runs beside it, some are not known, and timestamps of before the
 * start are refused.
 */
export function createCountExchange(deps: CountExchangeDeps): CountExchange {
  const { engine, clock, log, server, startedAtMs } = deps;
  const windows = createExchangedWindows(deps.windows);
  const nonces = createExchangedNonces(deps.nonces);
  const telling = createTelling({ engine, server, windows, nonces });
  const hearing = createHearing({ engine, windows, nonces });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;
  let isOpen = false;

  /** One exchange; true when there is nothing left to tell. */
  const exchange = async (): Promise<boolean> => {
    const nowMs = clock();
    await telling.upkeep(nowMs);
    const others = await listOtherServers(engine, server.crew);
    const isAll = await telling.tell(others.some(isThere(nowMs)), nowMs);
    await hearing.hear(others, nowMs);
    isFailing = false;
    return isAll;
  };
  const begin = async (): Promise<void> => {
    isOpen = true;
    const others = await listOtherServers(engine, server.crew);
    if (others.some(hasUntold(clock()))) nonces.forgetBefore(startedAtMs);
    await exchange();
  };
  const close = async (): Promise<void> => {
    for (let isAll = false; !isAll;) isAll = await exchange();
    await telling.close(clock());
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
    windows,
    nonces,
    run,
    begin,
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

function isThere(nowMs: number): (server: SeenServer) => boolean {
  return ({ seenAtMs, isClosed }) => !isClosed && Math.abs(nowMs - seenAtMs) < GONE_MS;
}

/** Whether a server may have taken nonces that it never told and whose timestamps are accepted. */
function hasUntold(nowMs: number): (server: SeenServer) => boolean {
  return ({ seenAtMs, isClosed }) => !isClosed && seenAtMs > nowMs - UNTOLD_MS;
}
