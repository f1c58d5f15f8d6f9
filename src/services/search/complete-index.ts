import type { KeyRange } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import type { TimeSpan } from '../../database/search.js';
import type { UntimedIds } from '../../database/search-untimed.js';
import { catchUpIndex } from './index-posts.js';
import type { SearchPlan } from './search-plan.js';

/** Thrown by a search when posts of its window are not indexed yet. */
export class IndexStale extends Error {}

/** The dependencies of searches and counts. */
export interface SearchParts {
  readonly engine: Engine;
  readonly untimedIds: UntimedIds;
}

/**
 * Runs `work` with an index that contains every post of the given times. The index reports missing posts along with
 * its results, so the check is free in the common case. When posts are missing, they are indexed and `work` runs
 * again.
 */
export async function withFreshIndex<T>(
  { engine, untimedIds }: SearchParts,
  plan: SearchPlan,
  within: TimeSpan,
  work: (plan: SearchPlan) => Promise<T>,
): Promise<T> {
  for (;;) {
    const untimed = await untimedIds();
    try {
      const result = await work({ ...plan, untimed });
      if (isSame(untimed, await untimedIds())) return result;
    } catch (error) {
      if (!(error instanceof IndexStale)) throw error;
      await catchUpIndex(engine, within);
    }
  }
}

function isSame(one: KeyRange, other: KeyRange): boolean {
  return one.above === other.above && one.upTo === other.upTo;
}
