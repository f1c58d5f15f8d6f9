import type { Clock } from '../../core/clock.js';
import { invalidRequest } from '../../core/errors.js';
import type { Engine } from '../../database/engine.js';
import { createUntimedIds } from '../../database/search-untimed.js';
import type { Period } from './count-periods.js';
import { countComplete } from './count-posts.js';
import { calendarEdges, type CalendarUnit } from './calendar.js';
import { openSearch, type SearchRequest } from './search-plan.js';
import { FIRST_POST_MS, openWindow } from './window.js';

/** More periods than these would be neither drawn nor read. */
const MAX_PERIODS = 1_000;

interface HistogramRequest extends Omit<SearchRequest, 'product'> {
  /** By default the first post of any archive. */
  readonly startTimeMs?: number;
  /** By default now. */
  readonly endTimeMs?: number;
  readonly unit: CalendarUnit;
}

export type HistogramService = ReturnType<typeof createHistogramService>;

/**
 * Creates the function that counts the posts that a search would return, by calendar periods in UTC. It leaves out the
 * periods before the first match and after the last one. Throws 'invalid-request' for a query or times that are
 * refused, and for too many periods.
 */
export function createHistogramService({
  engine,
  clock,
}: {
  readonly engine: Engine;
  readonly clock: Clock;
}) {
  const parts = { engine, untimedIds: createUntimedIds(engine) };
  return async ({ startTimeMs, endTimeMs, unit, ...request }: HistogramRequest) => {
    const bounds = { startTimeMs: startTimeMs ?? FIRST_POST_MS, endTimeMs };
    const { window, plan } = await openSearch(engine, { ...request, product: 'all' }, () =>
      openWindow('all', bounds, clock()),
    );
    const edges = calendarEdges({ fromMs: bounds.startTimeMs, beforeMs: window.beforeMs }, unit);
    requireFew(edges.length - 1, unit);
    const counts = plan ? await countComplete(parts, plan, window, edges) : [];
    return withoutEnds(counts.map((count, at) => ({ ...periodAt(edges, at), count })));
  };
}

function periodAt(edges: readonly number[], at: number): Period {
  return { fromMs: edges[at] ?? 0, beforeMs: edges[at + 1] ?? 0 };
}

function requireFew(periods: number, unit: CalendarUnit): void {
  if (periods <= MAX_PERIODS) return;
  const message = `At most ${MAX_PERIODS} periods are counted: choose a longer unit or a shorter time`;
  throw invalidRequest('unit', [unit], message);
}

function withoutEnds<T extends { readonly count: number }>(periods: readonly T[]): readonly T[] {
  const first = periods.findIndex(({ count }) => count > 0);
  const last = periods.findLastIndex(({ count }) => count > 0);
  return first === -1 ? [] : periods.slice(first, last + 1);
}
