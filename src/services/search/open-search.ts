import type { Principal } from '../../core/access.js';
import type { SearchProduct } from '../../query/operator-set.js';
import { readQuery, refusedQuery } from '../../query/read-query.js';
import type { Engine } from '../../storage/engine.js';
import type { UntimedIds } from '../../storage/search-untimed.js';
import { catchUpIndex } from './index-posts.js';
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

/** What searches and counts need. */
export interface SearchParts {
  readonly engine: Engine;
  readonly untimedIds: UntimedIds;
}

/**
 * How a query is run in a window, of which the index then knows every post; undefined when nothing can match. Throws
 * PipitError `invalid-request` for a query that is refused: call it before anything else is judged.
 */
export async function openSearch(
  { engine, untimedIds }: SearchParts,
  { product, query, principal }: SearchRequest,
  windowOf: () => SearchWindow,
): Promise<{ readonly window: SearchWindow; readonly plan: SearchPlan | undefined }> {
  const { accessLevel: level, track } = principal.app;
  const reading = readQuery(query, { level, track, product });
  if (!reading.ok) throw refusedQuery(query, reading.message);
  const window = windowOf();
  const viewerId = principal.context === 'app' ? undefined : principal.userId;
  const plan = planSearch(reading.expression, await findQueryNames(engine, reading.expression, viewerId));
  await catchUpIndex(engine, window.beforeMs);
  return { window, plan: plan && { ...plan, untimed: await untimedIds() } };
}
