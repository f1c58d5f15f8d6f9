import type { Clock } from '../../core/clock.js';
import type { PostId } from '../../core/ids.js';
import type { Cursor } from '../../core/page.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Engine } from '../../database/engine.js';
import { createUntimedIds } from '../../database/search-untimed.js';
import type { SearchParts } from './complete-index.js';
import { countByPeriod } from './count-matches.js';
import {
  edgesOf,
  lastPageOf,
  startOfDay,
  startOfSecond,
  type Granularity,
  type Period,
} from './count-periods.js';
import { catchUpIndex } from './index-posts.js';
import { openSearch, type SearchRequest } from './open-search.js';
import type { SearchPlan } from './search-plan.js';
import {
  FIRST_POST_MS,
  encodeWindow,
  openWindow,
  decodeWindow,
  type SearchBounds,
  type SearchWindow,
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

/** Counts the posts that a search would return, page by page (docs/api/search.md#counts). Ignores the viewer. */
export type CountService = ReturnType<typeof createCountService>;

const MONTH_MS = 30 * 24 * 3_600_000;

export function createCountService(deps: { readonly engine: Engine; readonly clock: Clock }) {
  const { engine, clock } = deps;
  const parts = { engine, untimedIds: createUntimedIds(engine) };
  return {
    /** Returns a page of counts. Throws 'invalid-request' for a query or window that is refused. */
    page: async (request: CountRequest) => {
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
      const next = {
        direction: 'next',
        position: BigInt(shown.fromMs),
        extra: encodeWindow(window),
      } as const;
      return { periods, next };
    },
  };
}

async function countComplete(
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
