import { setImmediate as turn } from 'node:timers/promises';
import type { KeyRange } from '../core/page.js';
import { timeOfId } from '../core/snowflake.js';
import type { Queryable } from './queryable.js';
import type { SearchIndex, SearchSelection } from './search.js';

/** Counts matches without loading them or blocking other work. Sees committed data. */
export interface SearchCounter {
  /**
   * Counts the matches in the range by the time in their ids: period `i` is from `edgesMs[i]` to before
   * `edgesMs[i + 1]`; edges ascend. Matches outside the edges are not counted.
   */
  countByTime(selection: SearchSelection, range: KeyRange, edgesMs: readonly number[]): Promise<number[]>;
}

/** Counts times, in any order, by the period between edges. */
export interface Tally {
  add(timeMs: number): void;
  readonly counts: number[];
}

export function createTally(edgesMs: readonly number[]): Tally {
  const counts = new Array<number>(Math.max(0, edgesMs.length - 1)).fill(0);
  return {
    counts,
    add: (timeMs) => {
      const period = lastAtOrBelow(edgesMs, timeMs);
      const count = counts[period];
      if (count !== undefined) counts[period] = count + 1;
    },
  };
}

/** Returns the index of the last element at or below `value`, or -1. */
function lastAtOrBelow(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A few milliseconds of work. */
const SLICE = 5_000;

/** Creates a counter that reads matches in slices and yields to the event loop between them. */
export function createSlicedCounter(db: Queryable, search: SearchIndex): SearchCounter {
  return {
    countByTime: async (selection, { above, upTo }, edgesMs) => {
      const tally = createTally(edgesMs);
      for (let top = upTo; top > above;) {
        const ids = await search.page(db, selection, { above, upTo: top }, SLICE);
        for (const id of ids) tally.add(timeOfId(id) ?? -Infinity);
        const last = ids.at(-1);
        if (last === undefined || ids.length < SLICE) break;
        top = last - 1n;
        await turn();
      }
      return tally.counts;
    },
  };
}
