import type { Principal } from '../../core/access.js';
import type { SearchProduct } from '../../query/operator-set.js';
import { readQuery, refusedQuery } from '../../query/read-query.js';
import type { Queryable } from '../../database/engine.js';
import { findQueryNames } from './query-names.js';
import { planSearch, type SearchPlan } from './search-plan.js';
import type { SearchWindow } from './window.js';

/** What a search or a count asks. */
export interface SearchRequest {
  readonly product: SearchProduct;
  /** As sent. */
  readonly query: string;
  readonly principal: Principal;
}

/**
 * How a query is run in a window; undefined when nothing can match. Throws PipitError `invalid-request` for a query that
 * is refused: call it before anything else is judged.
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
