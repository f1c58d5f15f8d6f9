import { setImmediate as turn } from 'node:timers/promises';
import type { PostId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { listPendingAuthors } from '../../stores/backlog.js';
import { findPosts } from '../../stores/posts.js';
import type { SearchSelection } from '../../database/search.js';
import { createTally, type Tally } from '../../database/search-counter.js';
import { findUsers } from '../../stores/users.js';
import { FACET } from './facets.js';
import type { SearchPlan } from './search-plan.js';
import { CANDIDATES_AT_ONCE, candidates, filtered, walksOf, type Walk } from './walk.js';
import type { SearchWindow } from './window.js';

/**
 * Counts the matching posts of the window by period: period `i` starts at `edgesMs[i]` and ends before
 * `edgesMs[i + 1]`. Posts outside the edges count towards the nearest period. Yields to other requests between
 * chunks.
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
 * Excludes posts that views already hide but the index still contains: those of recently protected or suspended
 * authors, and reposts of them.
 */
async function exceptHidden(engine: Engine, selection: SearchSelection): Promise<SearchSelection> {
  const authors = await findUsers(engine, await listPendingAuthors(engine));
  const hidden = [...authors.values()].filter((author) => author.protected || author.suspended);
  if (hidden.length === 0) return selection;
  const anyOf = hidden.flatMap(({ id }) => [FACET.from(id), FACET.repostsOfUser(id)]);
  return { kind: 'except', from: selection, without: { kind: 'only', leaf: { kind: 'facets', anyOf } } };
}

/** Counts matches that need filters, a few hundred at a time, and yields to other requests between them. */
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
