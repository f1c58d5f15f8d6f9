import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../core/clock.js';
import type { PostId } from '../../core/ids.js';
import type { Cursor } from '../../core/page.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Engine } from '../../database/engine.js';
import { type Tally, createTally } from '../../database/search-counter.js';
import { createUntimedIds } from '../../database/search-untimed.js';
import type { SearchSelection } from '../../database/search.js';
import { listPendingAuthors } from '../../stores/backlog.js';
import { findPosts } from '../../stores/posts.js';
import { findUsers } from '../../stores/users.js';
import { type Granularity, type Period, edgesOf, lastPageOf, startOfDay } from './count-periods.js';
import { FACET } from './facets.js';
import { catchUpIndex } from './index-posts.js';
import { type SearchPlan, type SearchRequest, openSearch } from './search-plan.js';
import { CANDIDATES_AT_ONCE, type SearchParts, type Walk, candidates, filtered, walksOf } from './walk.js';
import {
  FIRST_POST_MS,
  type SearchBounds,
  type SearchWindow,
  decodeWindow,
  encodeWindow,
  openWindow,
  startOfSecond,
} from './window.js';

interface CountRequest extends SearchRequest {
  readonly bounds: SearchBounds;
  readonly granularity: Granularity;
  /** Later pages keep the window of the first page. */
  readonly cursor?: Cursor;
}

interface PeriodCount extends Period {
  readonly count: number;
}

/** Periods in ascending order without gaps; the next page precedes them in time. */
export interface CountPage {
  readonly periods: readonly PeriodCount[];
  readonly next?: Cursor;
}

export type CountService = ReturnType<typeof createCountService>;

const MONTH_MS = 30 * 24 * 3_600_000;

/**
 * Creates the function that returns a page of counts of the posts that a search would return
 * (docs/api/search.md#counts). It ignores the viewer, and throws 'invalid-request' for a query or window that is
 * refused.
 */
export function createCountService({ engine, clock }: { readonly engine: Engine; readonly clock: Clock }) {
  const parts = { engine, untimedIds: createUntimedIds(engine) };
  return async (request: CountRequest): Promise<CountPage> => {
    const { bounds, cursor, product, granularity } = request;
    const { window, plan } = await openSearch(engine, request, () =>
      cursor ? decodeWindow(bounds, cursor.extra) : openCountWindow(request, clock()),
    );
    const span = spanOf(window, bounds);
    const left = cursor ? { ...span, beforeMs: Number(cursor.position) } : span;
    const shown = product === 'all' ? lastPageOf(left) : left;
    const edges = edgesOf(shown, granularity);
    const counts = plan ? await countComplete(parts, plan, windowOf(window, span, shown), edges) : [];
    const periods = edges.slice(1).map((beforeMs, index) => ({
      fromMs: edges[index] ?? shown.fromMs,
      beforeMs,
      count: counts[index] ?? 0,
    }));
    if (shown.fromMs <= span.fromMs) return { periods };
    const position = BigInt(shown.fromMs);
    return { periods, next: { direction: 'next', position, extra: encodeWindow(window) } };
  };
}

/** Counts the matching posts of the window by period, see `countByPeriod`, after indexing what is pending there. */
export async function countComplete(
  { engine, untimedIds }: SearchParts,
  plan: SearchPlan,
  window: SearchWindow,
  edgesMs: readonly number[],
): Promise<number[]> {
  await catchUpIndex(engine, window);
  return countByPeriod(engine, { ...plan, untimed: await untimedIds() }, window, edgesMs);
}

/**
 * Opens the window as a search does, in whole seconds; an archive window starts at midnight
 * (docs/api/search.md#counts).
 */
function openCountWindow({ product, bounds }: CountRequest, nowMs: number): SearchWindow {
  const window = openWindow(product, bounds, nowMs);
  const isDefault = bounds.startTimeMs === undefined && bounds.sinceId === undefined;
  if (product === 'recent' || !isDefault) return window;
  return { ...window, fromMs: Math.max(FIRST_POST_MS, startOfDay(window.beforeMs - MONTH_MS)) };
}

/** Returns the time range to show: the window, narrowed by its ids, at least one second long. */
function spanOf({ fromMs, beforeMs }: SearchWindow, { sinceId, untilId }: SearchBounds): Period {
  const sinceMs = sinceId === undefined ? undefined : secondOfId(sinceId);
  const startMs = Math.max(fromMs ?? FIRST_POST_MS, sinceMs ?? FIRST_POST_MS);
  const untilMs = untilId === undefined ? undefined : secondOfId(untilId);
  const isWithin = untilMs !== undefined && untilMs >= startMs && untilMs + 1_000 < beforeMs;
  const endMs = isWithin ? untilMs + 1_000 : beforeMs;
  return { fromMs: Math.min(startMs, endMs - 1_000), beforeMs: endMs };
}

function secondOfId(id: PostId): number | undefined {
  const timeMs = timeOfId(id);
  return timeMs === undefined ? undefined : startOfSecond(timeMs);
}

/** Returns the part of the window that a page shows. Outer bounds stay open so that no match is lost. */
function windowOf(window: SearchWindow, span: Period, shown: Period): SearchWindow {
  return {
    ids: window.ids,
    fromMs: shown.fromMs <= span.fromMs ? window.fromMs : shown.fromMs,
    beforeMs: shown.beforeMs >= span.beforeMs ? window.beforeMs : shown.beforeMs,
  };
}

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
