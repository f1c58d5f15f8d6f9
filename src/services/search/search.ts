import type { Clock } from '../../core/clock.js';
import type { PostId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import { createUntimedIds } from '../../database/search-untimed.js';
import { withFreshIndex } from './complete-index.js';
import { openSearch, type SearchRequest } from './open-search.js';
import { pageByRelevancy } from './relevancy.js';
import type { SearchPlan } from './search-plan.js';
import { exceptUnwanted } from './unwanted.js';
import { listMatches } from './walk.js';
import { encodeWindow, openWindow, decodeWindow, type SearchBounds, type SearchWindow } from './window.js';

/** Newest first, or by engagement. */
export const SORT_ORDERS = ['recency', 'relevancy'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

interface PageSearchRequest extends SearchRequest {
  readonly bounds: SearchBounds;
  readonly order: SortOrder;
  /** Later pages keep the window of the first page. */
  readonly page: PageRequest;
}

/** Search (docs/api/search.md#window). Returns ids; views filter by what the viewer may see. */
export type SearchService = ReturnType<typeof createSearchService>;

export function createSearchService(deps: { readonly engine: Engine; readonly clock: Clock }) {
  const { engine, clock } = deps;
  const parts = { engine, untimedIds: createUntimedIds(engine) };
  return {
    /** Returns a page of matches. Throws 'invalid-request' for a query or window that is refused. */
    page: async (request: PageSearchRequest) => {
      const { bounds, page, principal, product, order } = request;
      const { cursor } = page;
      const { window, plan } = await openSearch(engine, request, () =>
        cursor ? decodeWindow(bounds, cursor.extra) : openWindow(product, bounds, clock()),
      );
      if (plan === undefined) return { items: [] };
      const pageIn = order === 'recency' ? pageByRecency : pageByRelevancy;
      const found = await withFreshIndex(parts, plan, window, (located) =>
        pageIn(engine, located, window, page),
      );
      if (principal.context === 'app') return found;
      return { ...found, items: await exceptUnwanted(engine, principal.userId, found.items) };
    },
  };
}

async function pageByRecency(
  engine: Engine,
  plan: SearchPlan,
  window: SearchWindow,
  { limit, cursor }: PageRequest,
): Promise<Page<PostId>> {
  const upTo = cursor && cursor.position - 1n;
  const { ids, stoppedAt } = await listMatches(engine, plan, window, limit + 1, upTo);
  const items = ids.slice(0, limit);
  const position = ids.length > limit ? items.at(-1) : stoppedAt;
  if (position === undefined) return { items };
  return { items, next: { direction: 'next', position, extra: encodeWindow(window) } };
}
