import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../storage/engine.js';
import { listOtherServers, type Server } from '../../storage/servers.js';
import type { StorageLog } from '../../storage/storage-log.js';
import { createExchangedNonces } from './exchanged-nonces.js';
import type { NonceStore } from '../oauth1/nonces.js';
import { createExchangedWindows } from './exchanged-windows.js';
import type { RateWindowStore } from '../rate-windows.js';
import { createHearing } from './hearing.js';
import { createTelling } from './telling.js';

/** What requests count against: on this server at once, on the others that share its database some time after. */
export interface CountExchange {
  readonly windows: RateWindowStore;
  readonly nonces: NonceStore;
  /** Exchanges from now on, twice a second. */
  start(): void;
  /** One exchange: tells what was not told yet, and hears what others told. Never rejects. */
  run(): Promise<void>;
  /** Ends what `start` began, and tells what is left. Repeated, it changes nothing. */
  stop(): Promise<void>;
}

export interface CountExchangeDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: StorageLog;
  readonly server: Server;
  /** What this server's crew counts. */
  readonly windows: RateWindowStore;
  readonly nonces: NonceStore;
}

/** What one server counts, the others know after two of these and a few statements. */
const INTERVAL_MS = 500;
/** Who was not seen for three minutes, and is to be seen once in each, is gone. */
const GONE_MS = 180_000;

/**
 * Servers that share a database count each for itself, and tell each other twice a second what they counted: a request
 * costs no statement. So all together let through what a limit allows, and beyond it no more than what the others let
 * through in the second before it was heard of; never more than the limit each. A nonce that one server took is refused
 * by the others after the same second. A server that is alone tells nothing, and only looks whether it still is.
 */
export function createCountExchange(deps: CountExchangeDeps): CountExchange {
  const { engine, clock, log, server } = deps;
  const windows = createExchangedWindows(deps.windows);
  const nonces = createExchangedNonces(deps.nonces);
  const telling = createTelling({ engine, server, windows, nonces });
  const hearing = createHearing({ engine, windows, nonces });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;

  const exchange = async (): Promise<void> => {
    const nowMs = clock();
    await telling.upkeep(nowMs);
    const others = await listOtherServers(engine, server.crew);
    const isAnybodyThere = others.some(({ seenAtMs }) => Math.abs(nowMs - seenAtMs) < GONE_MS);
    await telling.tell(isAnybodyThere, nowMs);
    await hearing.hear(others, nowMs);
    isFailing = false;
  };
  const fail = (err: unknown): void => {
    // Once, however long it lasts.
    if (!isFailing)
      log.warn({ err }, 'counts cannot be exchanged with other servers: each counts alone until they can');
    isFailing = true;
  };
  const run = (): Promise<void> =>
    (running ??= exchange()
      .catch(fail)
      .finally(() => {
        running = undefined;
      }));

  return {
    windows,
    nonces,
    run,
    start: () => {
      if (timer !== undefined) return;
      timer = setInterval(() => void run(), INTERVAL_MS).unref();
      void run();
    },
    stop: async () => {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      await running;
      await run();
    },
  };
}
