import type { Principal } from '../../core/access.js';
import type { KeyRange } from '../../core/page.js';
import type { SearchExpression } from '../../query/conditions.js';
import type { SearchProduct } from '../../query/operator-set.js';
import { readQuery, refusedQuery } from '../../query/read-query.js';
import { only, selectionOf, type Selection } from '../../query/selection.js';
import type { Queryable } from '../../database/engine.js';
import { MAX_SELECTION_DEPTH, type SearchSelection } from '../../database/search.js';
import { FACET, sampleFacets, UNTIMED } from './facets.js';
import { partOf, withinCost, type PlanLeaf } from './plan-leaves.js';
import { findQueryNames, type QueryNames } from './query-names.js';
import type { SearchWindow } from './window.js';

/** An executable query. */
export interface SearchPlan {
  /** The selection for the index: a superset of the matches, exact unless `checked` is present. */
  readonly selection: SearchSelection;
  /** The query to check on each candidate; absent when the index answers it exactly. */
  readonly checked?: Selection<PlanLeaf>;
  /** The range of ids that may not encode their time; absent when unknown. */
  readonly untimed?: KeyRange;
}

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

/** Plans a query. Returns undefined when nothing can match, for example because all named users are unknown. */
export function planSearch(expression: SearchExpression, names: QueryNames): SearchPlan | undefined {
  const parts = selectionOf(expression, (condition) => partOf(condition, names));
  if (parts === undefined) throw new TypeError('the query was not checked');
  const query = withinCost(parts);
  const selection = boundOf(query, 'upper');
  if (selection === undefined) return undefined;
  const isExact = !hasChecked(query) && depthOf(query) <= MAX_SELECTION_DEPTH;
  return isExact ? { selection } : { selection, checked: query };
}

/** Restricts a selection to posts whose ids do not encode their time, or to the others. */
export function amongUntimed(selection: SearchSelection): SearchSelection {
  return { kind: 'all', of: [selection, UNTIMED_POSTS] };
}

export function exceptUntimed(selection: SearchSelection): SearchSelection {
  return { kind: 'except', from: selection, without: UNTIMED_POSTS };
}

const UNTIMED_POSTS: SearchSelection = only({ kind: 'facets', anyOf: [UNTIMED] });

function hasChecked(selection: Selection<PlanLeaf>): boolean {
  switch (selection.kind) {
    case 'only':
      return selection.leaf.kind === 'checked';
    case 'all':
    case 'any':
      return selection.of.some(hasChecked);
    case 'except':
      return hasChecked(selection.from) || hasChecked(selection.without);
  }
}

type Bound = 'upper' | 'lower';

/**
 * Approximates a selection by what the index can answer: a superset of the matches (`upper`), or a subset that
 * matches whatever the checks say (`lower`). Undefined means empty. Parts nested deeper than `room` are flattened.
 */
function boundOf(
  selection: Selection<PlanLeaf>,
  bound: Bound,
  room = MAX_SELECTION_DEPTH,
): SearchSelection | undefined {
  if (room === 0) return bound === 'lower' ? undefined : flatUpperBound(selection);
  const inner = (part: Selection<PlanLeaf>, of = bound) => boundOf(part, of, room - 1);
  switch (selection.kind) {
    case 'only':
      return leafBound(selection.leaf, bound);
    case 'all': {
      const parts = selection.of.map((part) => inner(part));
      const defined = parts.filter((part) => part !== undefined);
      return defined.length === parts.length ? allOf(defined) : undefined;
    }
    case 'any':
      return anyOf(selection.of.map((part) => inner(part)));
    case 'except': {
      const from = inner(selection.from);
      const without = inner(selection.without, bound === 'upper' ? 'lower' : 'upper');
      if (from === undefined || without === undefined) return from;
      return { kind: 'except', from, without };
    }
  }
}

/** Returns a superset of the selection in one level. */
function flatUpperBound(selection: Selection<PlanLeaf>): SearchSelection | undefined {
  switch (selection.kind) {
    case 'only':
      return leafBound(selection.leaf, 'upper');
    case 'all':
      return selection.of[0] && flatUpperBound(selection.of[0]);
    case 'any':
      return anyOf(selection.of.map(flatUpperBound));
    case 'except':
      return flatUpperBound(selection.from);
  }
}

function depthOf(selection: Selection<PlanLeaf>): number {
  switch (selection.kind) {
    case 'only':
      return 1;
    case 'all':
    case 'any':
      return 1 + Math.max(...selection.of.map(depthOf));
    case 'except':
      return 1 + Math.max(depthOf(selection.from), depthOf(selection.without));
  }
}

function leafBound(leaf: PlanLeaf, bound: Bound): SearchSelection | undefined {
  if (leaf.kind !== 'checked') {
    return leaf.kind === 'facets' && leaf.anyOf.length === 0 ? undefined : only(leaf);
  }
  if (bound === 'lower') return undefined;
  const { kind } = leaf.condition;
  return kind === 'point-radius' || kind === 'bounding-box' ? TAGGED_POSTS : EVERY_POST;
}

/** Matches every post, since each has one sample facet; neutral in `all` and absorbing in `any`. */
const EVERY_POST: SearchSelection = only({ kind: 'facets', anyOf: sampleFacets(100) });
const TAGGED_POSTS: SearchSelection = only({ kind: 'facets', anyOf: [FACET.has('geo')] });

function allOf(parts: readonly SearchSelection[]): SearchSelection {
  const selective = parts.filter((part) => part !== EVERY_POST);
  return selective.length === 0 ? EVERY_POST : joined('all', selective);
}

/** Flattens nested alternatives. */
function anyOf(parts: readonly (SearchSelection | undefined)[]): SearchSelection | undefined {
  if (parts.includes(EVERY_POST)) return EVERY_POST;
  const defined = parts.filter((part) => part !== undefined);
  const flat = defined.flatMap((part) => (part.kind === 'any' ? part.of : [part]));
  return flat.length === 0 ? undefined : joined('any', flat);
}

function joined(kind: 'all' | 'any', of: readonly SearchSelection[]): SearchSelection {
  const [first] = of;
  return first !== undefined && of.length === 1 ? first : { kind, of };
}
