import type { Principal } from '../../core/access.js';
import type { SearchProduct } from '../../query/operator-set.js';
import { readQuery, refusedQuery } from '../../query/read-query.js';
import type { Queryable } from '../../database/engine.js';
import { findQueryNames } from './query-names.js';
import { planSearch, type SearchPlan } from './search-plan.js';
import type { SearchWindow } from './window.js';

/** The parameters common to search and counts. */
export interface SearchRequest {
  readonly product: SearchProduct;
  /** The query as sent. */
  readonly query: string;
  readonly principal: Principal;
}

/**
 * Plans a query within a window; the plan is undefined when nothing can match. Throws 'invalid-request' for an
 * invalid query, and reports it before any fault of the window.
 */
export async function openSearch(
  db: Queryable,
  { product, query, principal }: SearchRequest,
  windowOf: () => SearchWindow,
): Promise<{ readonly window: SearchWindow; readonly plan: SearchPlan | undefined }> {
  const { accessLevel: level, track } = principal.app;
  const reading = readQuery(query, { level, track, product });
  if (!reading.ok) throw refusedQuery(query, reading.message);
  const window = windowOf();
  const viewerId = principal.context === 'app' ? undefined : principal.userId;
  return {
    window,
    plan: planSearch(reading.expression, await findQueryNames(db, reading.expression, viewerId)),
  };
}
