import { hash } from 'node:crypto';
import { CLOCK_SKEW_MS, type RateWindow, type RateWindowStore } from './rate-windows.js';
import { openSharedCells, type CellKey, type Sighting } from './shared-cells.js';

/** A process's place among those that count together: only it writes in `slot`, and a successor takes it over. */
export interface SharedPlace {
  /** From 0 to `slots - 1`. */
  readonly slot: number;
  readonly slots: number;
}

/** So many windows are remembered; then all are forgotten, which costs another look at each. */
const MAX_KNOWN = 20_000;

const NOTHING_SEEN: Sighting = { used: 0, endsMs: Infinity, ownUsed: 0, ownAt: -1 };

/** A window as this process saw it last. */
interface KnownWindow extends Sighting {
  readonly hash: CellKey;
}

/**
 * Windows that the processes of one machine count together, in a file. First a call is
 * counted in the process's own cell, then all cells of its key are added up: no call goes uncounted and nobody waits for
 * a lock. Of calls that meet at a limit, each may see the other and have to be taken back (`rate-limit.ts` tries again).
 * Where two processes begin a window at once, the earlier end holds for both. Methods throw system errors.
 *
 * A process knows what is in its own cells, so that a call takes one write and one read.
 */
export function openSharedWindows(
  file: string,
  place: SharedPlace,
  buckets?: number,
): RateWindowStore & Disposable {
  const cells = openSharedCells(file, place, buckets);
  const byKey = new Map<string, KnownWindow>();
  /** Which window this process wrote last where. */
  const byCell = new Map<number, KnownWindow>();

  const knownOf = (key: string): KnownWindow => {
    const known = byKey.get(key);
    if (known) return known;
    if (byKey.size === MAX_KNOWN) {
      byKey.clear();
      byCell.clear();
    }
    const unseen = { hash: cellKeyOf(key), ...NOTHING_SEEN };
    byKey.set(key, unseen);
    return unseen;
  };
  const look = (window: KnownWindow, windowMs: number, nowMs: number): KnownWindow =>
    Object.assign(window, cells.find(window.hash, nowMs, nowMs + windowMs + CLOCK_SKEW_MS));
  const write = (window: KnownWindow, ownUsed: number, endsMs: number): void => {
    cells.write(window.hash, window.ownAt, ownUsed, endsMs);
    byCell.set(window.ownAt, window);
  };

  return {
    find: (key, windowMs, nowMs) => running(look(knownOf(key), windowMs, nowMs)),
    peek: (key, windowMs, nowMs, limit) => {
      const window = knownOf(key);
      const suffices = window.used < limit && isRunning(window, windowMs, nowMs);
      return running(suffices ? window : look(window, windowMs, nowMs));
    },
    count: (key, windowMs, nowMs) => {
      const window = knownOf(key);
      const isOwnKnown = byCell.get(window.ownAt) === window && isRunning(window, windowMs, nowMs);
      if (!isOwnKnown) look(window, windowMs, nowMs);
      const endsMs = Math.min(window.endsMs, nowMs + windowMs);
      write(window, window.ownUsed + 1, endsMs);
      look(window, windowMs, nowMs);
      if (window.endsMs < endsMs) write(window, window.ownUsed, window.endsMs);
      return { used: window.used, endsMs: window.endsMs };
    },
    uncount: (key, windowMs, nowMs) => {
      const window = look(knownOf(key), windowMs, nowMs);
      if (window.ownUsed === 0) return;
      write(window, window.ownUsed - 1, window.endsMs);
      look(window, windowMs, nowMs);
    },
    endBy: (key, windowMs, nowMs, latestMs) => {
      const window = look(knownOf(key), windowMs, nowMs);
      if (window.ownUsed === 0 || window.endsMs <= latestMs) return;
      write(window, window.ownUsed, latestMs);
      look(window, windowMs, nowMs);
    },
    [Symbol.dispose]: () => cells.close(),
  };
}

function cellKeyOf(key: string): CellKey {
  return new Uint32Array(Uint8Array.from(hash('sha256', key, 'buffer')).buffer).subarray(0, 4);
}

function isRunning({ endsMs }: KnownWindow, windowMs: number, nowMs: number): boolean {
  return endsMs > nowMs && endsMs <= nowMs + windowMs + CLOCK_SKEW_MS;
}

function running({ used, endsMs }: KnownWindow): RateWindow | undefined {
  return endsMs === Infinity ? undefined : { used, endsMs };
}
