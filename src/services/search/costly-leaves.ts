import { mapLeaves, only, type Selection } from '../../query/selection.js';
import type { PhraseLeaf, PlanLeaf } from './plan-leaves.js';

/**
 * The maximum cost of an index query, in facet lookups: a full List plus some more. A phrase costs more per token
 * because of its positions, and a prefix costs all words that start with it. Above the maximum, costly leaves are
 * checked on each candidate instead.
 */
const MAX_COST = 6_000;
const PLACED_TOKEN_COST = 40;
const PREFIX_COST = 300;

/** The index is queried for this many tokens of a checked phrase; they are usually selective enough. */
const ASKED_TOKENS = 2;

/** Replaces costly leaves by checked ones when the query exceeds the maximum cost. */
export function withinCost(query: Selection<PlanLeaf>): Selection<PlanLeaf> {
  return costOf(query) > MAX_COST ? checkedWhereCostly(query) : query;
}

function costOf(selection: Selection<PlanLeaf>): number {
  switch (selection.kind) {
    case 'only':
      return leafCost(selection.leaf);
    case 'all':
    case 'any':
      return selection.of.reduce((sum, part) => sum + costOf(part), 0);
    case 'except':
      return costOf(selection.from) + costOf(selection.without);
  }
}

function leafCost(leaf: PlanLeaf): number {
  switch (leaf.kind) {
    case 'facets':
      return leaf.anyOf.length;
    case 'phrase': {
      const { length } = leaf.tokens;
      return (length > 1 ? PLACED_TOKEN_COST * length : 1) + (leaf.lastIsPrefix ? PREFIX_COST : 0);
    }
    case 'checked':
      return 0;
  }
}

/** Replaces facet lists and longer phrases by checked leaves. Leaves of the same List share one set. */
function checkedWhereCostly(query: Selection<PlanLeaf>): Selection<PlanLeaf> {
  const sets = new Map<readonly string[], ReadonlySet<string>>();
  return mapLeaves(query, (leaf) => {
    if (leaf.kind === 'phrase') return checkedPhrase(leaf);
    if (leaf.kind !== 'facets' || leaf.anyOf.length <= 1) return only(leaf);
    const facets = sets.get(leaf.anyOf) ?? new Set(leaf.anyOf);
    sets.set(leaf.anyOf, facets);
    return only({ kind: 'checked', condition: { kind: 'any-facet', facets } });
  });
}

function checkedPhrase(leaf: PhraseLeaf): Selection<PlanLeaf> {
  const { tokens, lastIsPrefix } = leaf;
  const asked = (lastIsPrefix ? tokens.slice(0, -1) : tokens).slice(0, ASKED_TOKENS);
  if (asked.length === tokens.length) return only(leaf);
  const checked = only<PlanLeaf>({ kind: 'checked', condition: leaf });
  if (asked.length === 0) return checked;
  return { kind: 'all', of: [only({ kind: 'phrase', tokens: asked, lastIsPrefix: false }), checked] };
}
