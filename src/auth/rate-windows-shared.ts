import { hash } from 'node:crypto';
import type { RateWindowStore } from './rate-windows.js';
import { openSharedCells, type SharedCells, type Sighting } from './shared-cells.js';

/** A process's place among those that count together: only it writes in `slot`, and a successor takes it over. */
export interface SharedPlace {
  /** From 0 to `slots - 1`. */
  readonly slot: number;
  readonly slots: number;
}

/** How far the clock reading of a process that was held up may lie behind that of the one that began a window. */
const SKEW_MS = 5_000;

/**
 * Windows that the processes of one machine count together, in a file that stays in the page cache. First a call is
 * counted in the process's own cell, then all cells of its key are added up: no call goes uncounted and nobody waits for
 * a lock. Of calls that meet at a limit, each may see the other and have to be taken back (`rate-limit.ts` tries again).
 * Where two processes begin a window at once, the earlier end holds for both. Methods throw system errors.
 */
export function openSharedWindows(file: string, place: SharedPlace): RateWindowStore & Disposable {
  const cells = openSharedCells(file, place);
  const look = (key: string, windowMs: number, nowMs: number): Sighting =>
    cells.find(keyHash(key), nowMs, nowMs + windowMs + SKEW_MS);
  return {
    find: (key, windowMs, nowMs) => {
      const { used, endsMs } = look(key, windowMs, nowMs);
      return endsMs === Infinity ? undefined : { used, endsMs };
    },
    count: (key, windowMs, nowMs) => {
      const before = look(key, windowMs, nowMs);
      const endsMs = Math.min(before.endsMs, nowMs + windowMs);
      write(cells, before, before.ownUsed + 1, endsMs);
      const after = look(key, windowMs, nowMs);
      if (after.endsMs < endsMs) write(cells, after, after.ownUsed, after.endsMs);
      return after;
    },
    uncount: (key, windowMs, nowMs) => {
      const seen = look(key, windowMs, nowMs);
      if (seen.ownUsed > 0) write(cells, seen, seen.ownUsed - 1, seen.endsMs);
    },
    [Symbol.dispose]: () => cells.close(),
  };
}

function write(cells: SharedCells, { ownAt }: Sighting, used: number, endsMs: number): void {
  cells.write(ownAt, used, endsMs);
}

function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
