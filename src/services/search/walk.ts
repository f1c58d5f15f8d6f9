import { setImmediate as turn } from 'node:timers/promises';
import type { PostId } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import { withMembers } from '../../core/with-members.js';
import type { Engine } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';
import type { SearchSelection, TimeSpan } from '../../database/search.js';
import type { UntimedIds } from '../../database/search-untimed.js';
import { checkCandidates } from './check-candidates.js';
import { catchUpIndex } from './index-posts.js';
import { amongUntimed, exceptUntimed, type SearchPlan } from './search-plan.js';
import { timedIds, type SearchWindow } from './window.js';

/** Matches, newest first, from the part of the index that was read. */
export interface Matches {
  readonly ids: readonly PostId[];
  /** The walk stopped at this id with more possible matches below it; absent when everything was read. */
  readonly stoppedAt?: PostId;
}

/** The maximum number of candidates checked for one page; a page is short when few of them match. */
const MAX_CANDIDATES = 5_000;
export const CANDIDATES_AT_ONCE = 500;

/**
 * Returns the newest `limit` matches of the plan in the window, at or below `upTo`. Posts whose ids encode their time
 * are found by id range; others need a look at their rows. Throws IndexStale when posts of the window are not indexed
 * yet.
 */
export async function listMatches(
  engine: Engine,
  plan: SearchPlan,
  window: SearchWindow,
  limit: number,
  upTo: bigint = EVERY_KEY.upTo,
): Promise<Matches> {
  const { fromMs, beforeMs } = window;
  const within = { fromMs, beforeMs };
  const walks = walksOf(engine, plan, window).map((walk) => withMembers(narrowed(walk, upTo), { within }));
  return merged(await Promise.all(walks.map((walk) => follow(engine, walk, limit))), limit);
}

/** One index query and the filters for its results. */
export interface Walk {
  readonly selection: SearchSelection;
  readonly range: KeyRange;
  readonly filters: readonly ((ids: readonly PostId[]) => Promise<readonly PostId[]>)[];
  /** When present, the index must contain all posts created in this span. */
  readonly within?: TimeSpan;
}

/** Returns index queries that together yield every match of the window once. */
export function walksOf(engine: Engine, plan: SearchPlan, window: SearchWindow): readonly Walk[] {
  const { selection, checked, untimed = EVERY_KEY } = plan;
  const check =
    checked === undefined ? [] : [(ids: readonly PostId[]) => checkCandidates(engine, checked, ids)];
  const inWindow = (ids: readonly PostId[]): Promise<PostId[]> => madeWithin(engine, window, ids);
  const range = timedIds(window);
  const timed = isEmpty(overlapOf(range, untimed)) ? selection : exceptUntimed(selection);
  const walks: Walk[] = [
    { selection: timed, range, filters: check },
    {
      selection: amongUntimed(selection),
      range: overlapOf(window.ids, untimed),
      filters: [inWindow, ...check],
    },
  ];
  return walks.filter((walk) => !isEmpty(walk.range));
}

function overlapOf(one: KeyRange, other: KeyRange): KeyRange {
  return {
    above: one.above > other.above ? one.above : other.above,
    upTo: one.upTo < other.upTo ? one.upTo : other.upTo,
  };
}

function isEmpty({ above, upTo }: KeyRange): boolean {
  return upTo <= above;
}

async function madeWithin(
  engine: Engine,
  { fromMs = -Infinity, beforeMs }: SearchWindow,
  ids: readonly PostId[],
): Promise<PostId[]> {
  const posts = await findPosts(engine, ids);
  return ids.filter((id) => {
    const madeMs = posts.get(id)?.createdAtMs;
    return madeMs !== undefined && madeMs >= fromMs && madeMs < beforeMs;
  });
}

function narrowed(walk: Walk, upTo: bigint): Walk {
  return { ...walk, range: overlapOf(walk.range, { ...EVERY_KEY, upTo }) };
}

/** Returns the first `limit` results of a walk. */
async function follow(engine: Engine, walk: Walk, limit: number): Promise<Matches> {
  if (walk.filters.length === 0) return { ids: await candidates(engine, walk, walk.range.upTo, limit) };
  const ids: PostId[] = [];
  let { upTo } = walk.range;
  let atOnce = Math.min(limit, CANDIDATES_AT_ONCE);
  for (let seen = 0; seen < MAX_CANDIDATES; seen += atOnce) {
    if (seen > 0) {
      atOnce = Math.min(2 * atOnce, CANDIDATES_AT_ONCE);
      // Yields: without real I/O, the awaits above would block other requests for the whole walk.
      await turn();
    }
    const some = await candidates(engine, walk, upTo, atOnce);
    ids.push(...(await filtered(walk, some)));
    const last = some.at(-1);
    if (ids.length >= limit || last === undefined || some.length < atOnce) {
      return { ids: ids.slice(0, limit) };
    }
    upTo = last - 1n;
  }
  return { ids, stoppedAt: (upTo + 1n) as PostId };
}

/** Returns the newest matches of a walk's index query at or below `upTo`, unfiltered. */
export async function candidates(
  engine: Engine,
  { selection, range: { above }, within }: Walk,
  upTo: bigint,
  limit: number,
): Promise<PostId[]> {
  if (upTo <= above) return [];
  const range = { above, upTo };
  if (within === undefined) return engine.search.page(engine, selection, range, limit);
  const ids = await engine.search.completePage(engine, { selection, range, limit }, within);
  if (ids === undefined) throw new IndexStale();
  return ids;
}

/** Returns the candidates that pass all filters, in their order. */
export async function filtered(walk: Walk, ids: readonly PostId[]): Promise<readonly PostId[]> {
  let left = ids;
  for (const filter of walk.filters) left = await filter(left);
  return left;
}

/** Merges the results of walks. Results below the id where either walk stopped are left for the next page. */
function merged(found: readonly Matches[], limit: number): Matches {
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const stops = found.flatMap(({ stoppedAt }) => stoppedAt ?? []);
  const stoppedAt =
    stops.length === 0 ? undefined : stops.reduce((one, other) => (one > other ? one : other));
  const ids = found
    .flatMap((matches) => matches.ids)
    .filter((id) => stoppedAt === undefined || id >= stoppedAt)
    .sort((one, other) => (one < other ? 1 : -1));
  return { ids: ids.slice(0, limit), stoppedAt: ids.length >= limit ? undefined : stoppedAt };
}

/** Thrown by a search when posts of its window are not indexed yet. */
class IndexStale extends Error {}

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
      const result = await work(withMembers(plan, { untimed }));
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
