import type { KeyRange } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import type { TimeSpan } from '../../database/search.js';
import type { UntimedIds } from '../../database/search-untimed.js';
import { catchUpIndex } from './index-posts.js';
import type { SearchPlan } from './search-plan.js';

/** Thrown by a search that finds posts of its window missing in the index. */
export class IndexStale extends Error {}

/** What searches and counts need. */
export interface SearchParts {
  readonly engine: Engine;
  readonly untimedIds: UntimedIds;
}

/**
 * What `work` finds by the plan when the index knows every post that was made within the times. Mostly it does, and
 * finding that out costs nothing, as the index says so with what it finds; else the posts are brought in, and `work` runs
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
