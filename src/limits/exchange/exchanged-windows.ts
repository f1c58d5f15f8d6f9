import type { ServerId } from '../../core/ids.js';
import type { RateWindow, RateWindowStore } from '../rate-windows.js';
import { createHeardWindows, joined } from './heard-windows.js';
import { createOwnCounts } from './own-counts.js';
import type { WindowTally } from './tally.js';

/** Windows in which also counts what other servers tell, some time after. */
export interface ExchangedWindows extends RateWindowStore {
  /** Takes up to `limit` of the windows whose calls were not told yet, to be told now. */
  takePending(limit: number): WindowTally[];
  /** All that run are to be told again. */
  retell(): void;
  /** Nobody is there to be told. */
  discardPending(): void;
  /** What another server has counted up to now. */
  hear(server: ServerId, tallies: readonly WindowTally[], nowMs: number): void;
  /** Forgets what has ended. */
  sweep(nowMs: number): void;
}

/**
 * Adds to the windows of this server, `local`, what others told of theirs. A window of one key that began in several
 * ends with the one that ends first, as soon as they hear of each other.
 */
export function createExchangedWindows(local: RateWindowStore): ExchangedWindows {
  const own = createOwnCounts();
  const heard = createHeardWindows();
  const othersOf = (key: string, windowMs: number, nowMs: number): RateWindow | undefined =>
    heard.isEmpty() ? undefined : heard.find(own.digestOf(key), windowMs, nowMs);
  const endTogether = (key: string, windowMs: number, nowMs: number): void => {
    const others = othersOf(key, windowMs, nowMs);
    if (!others) return;
    local.endBy(key, windowMs, nowMs, others.endsMs);
    own.endBy(key, nowMs, others.endsMs);
  };
  return {
    takePending: own.takePending,
    retell: own.retell,
    discardPending: own.discardPending,
    hear: (server, tallies, nowMs) => {
      for (const tally of tallies) {
        heard.add(server, tally, nowMs);
        const window = own.ofDigest(tally.key);
        if (window) endTogether(window.key, window.windowMs, nowMs);
      }
    },
    sweep: (nowMs) => {
      own.sweep(nowMs);
      heard.sweep(nowMs);
    },
    find: (key, windowMs, nowMs) => joined(othersOf(key, windowMs, nowMs), local.find(key, windowMs, nowMs)),
    peek: (key, windowMs, nowMs, limit) => {
      const others = othersOf(key, windowMs, nowMs);
      return joined(others, local.peek(key, windowMs, nowMs, limit - (others?.used ?? 0)));
    },
    count: (key, windowMs, nowMs) => {
      const counted = local.count(key, windowMs, nowMs);
      if (own.add({ key, windowMs, endsMs: counted.endsMs }, nowMs)) endTogether(key, windowMs, nowMs);
      return joined(othersOf(key, windowMs, nowMs), counted) ?? counted;
    },
    uncount: (key, windowMs, nowMs) => {
      local.uncount(key, windowMs, nowMs);
      own.takeBack(key, nowMs);
    },
    endBy: local.endBy,
  };
}
