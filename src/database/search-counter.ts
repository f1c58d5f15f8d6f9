import { setImmediate as turn } from 'node:timers/promises';
import type { KeyRange } from '../core/page.js';
import { timeOfId } from '../core/snowflake.js';
import type { Queryable } from './queryable.js';
import type { SearchIndex, SearchSelection } from './search.js';

/** Counts matches without loading them, while others are served. It sees what is committed. */
export interface SearchCounter {
  /**
   * How many matches in the range were made in each period, by the times in their ids: from `edgesMs[i]` on, before
   * `edgesMs[i + 1]`, which ascend. What lies outside the edges is not counted.
   */
  countByTime(selection: SearchSelection, range: KeyRange, edgesMs: readonly number[]): Promise<number[]>;
}

/** Adds times that arrive in any order to the periods between edges. */
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

/** -1 when there is none. */
function lastAtOrBelow(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Some milliseconds of work. */
const SLICE = 5_000;

/** For an engine that has no other way: a slice of the matches at a time, and others' turns in between. */
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
