import { setImmediate as turn } from 'node:timers/promises';
import type { PostId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { listPendingAuthors } from '../../stores/pending-author-indexing.js';
import { findPosts } from '../../stores/posts.js';
import type { SearchSelection } from '../../database/search.js';
import { createTally, type Tally } from '../../database/search-counter.js';
import { findUsers } from '../../stores/users.js';
import { FACET } from './facets.js';
import type { SearchPlan } from './search-plan.js';
import { CANDIDATES_AT_ONCE, candidates, filtered, walksOf, type Walk } from './walk.js';
import type { SearchWindow } from './window.js';

/**
 * How many posts of the window that match were made in each period: from `edgesMs[i]` on, before `edgesMs[i + 1]`. What
 * the window lets in beyond the edges counts in the period next to it. Other requests are served meanwhile.
 */
export async function countByPeriod(
  engine: Engine,
  plan: SearchPlan,
  window: SearchWindow,
  edgesMs: readonly number[],
): Promise<number[]> {
  const visible = { ...plan, selection: await exceptHidden(engine, plan.selection) };
  const total = edgesMs.slice(1).map(() => 0);
  for (const walk of walksOf(engine, visible, window)) {
    const counts =
      walk.filters.length === 0
        ? await engine.searchCounter.countByTime(walk.selection, walk.range, edgesMs)
        : await countFiltered(engine, walk, edgesMs);
    counts.forEach((count, period) => (total[period] = (total[period] ?? 0) + count));
  }
  return total;
}

/**
 * Whom the index is still forgetting, views hide already: authors who were protected or suspended just now, in their own
 * posts and in reposts of these.
 */
async function exceptHidden(engine: Engine, selection: SearchSelection): Promise<SearchSelection> {
  const authors = await findUsers(engine, await listPendingAuthors(engine));
  const hidden = [...authors.values()].filter((author) => author.protected || author.suspended);
  if (hidden.length === 0) return selection;
  const anyOf = hidden.flatMap(({ id }) => [FACET.from(id), FACET.repostsOfUser(id)]);
  return { kind: 'except', from: selection, without: { kind: 'only', leaf: { kind: 'facets', anyOf } } };
}

/** Of what the index alone cannot tell; some hundred at a time, with others' turns in between. */
async function countFiltered(engine: Engine, walk: Walk, edgesMs: readonly number[]): Promise<number[]> {
  const tally = createTally(edgesMs);
  const [firstMs = 0, lastMs = 0] = [edgesMs[0], edgesMs.at(-1)];
  for (let { upTo } = walk.range; upTo > walk.range.above;) {
    const ids = await candidates(engine, walk, upTo, CANDIDATES_AT_ONCE);
    await addTimes(engine, tally, await filtered(walk, ids), { firstMs, lastMs });
    const last = ids.at(-1);
    if (last === undefined || ids.length < CANDIDATES_AT_ONCE) break;
    upTo = last - 1n;
    await turn();
  }
  return tally.counts;
}

async function addTimes(
  engine: Engine,
  tally: Tally,
  ids: readonly PostId[],
  { firstMs, lastMs }: { readonly firstMs: number; readonly lastMs: number },
): Promise<void> {
  for (const { createdAtMs } of (await findPosts(engine, ids)).values()) {
    tally.add(Math.min(Math.max(createdAtMs, firstMs), lastMs - 1));
  }
}
