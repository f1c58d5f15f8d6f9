import { EVERY_KEY } from '../../src/core/page.js';
import { countByPeriod } from '../../src/services/search/count-posts.js';
import type { SearchPlan } from '../../src/services/search/search-plan.js';
import type { SearchWindow } from '../../src/services/search/window.js';
import type { Engine } from '../../src/database/engine.js';

const END_MS = Date.UTC(2100, 0, 1);

/** A window that contains every post. */
export const ALWAYS: SearchWindow = { ids: EVERY_KEY, beforeMs: END_MS };

/** Counts the matching posts of all time. */
export async function countAll(engine: Engine, plan: SearchPlan): Promise<number> {
  const [count = 0] = await countByPeriod(engine, plan, ALWAYS, [0, END_MS]);
  return count;
}
