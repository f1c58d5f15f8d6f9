import { mapLeaves, type Selection } from '../../query/selection.js';
import { only, type PhraseLeaf, type PlanLeaf } from './plan-leaves.js';

/**
 * So many facets an index is asked for at most, as it looks each of them up: a full List and some more. Words side by side
 * cost it as many as their places take, and the beginning of a word as all words that begin so. Beyond that, what a costly
 * leaf tells is looked up of each candidate instead, so that no query costs more.
 */
const MAX_COST = 6_000;
const PLACED_TOKEN_COST = 40;
const PREFIX_COST = 300;

/** Of a phrase that is checked, the index is asked for these: mostly they tell as much. */
const ASKED_TOKENS = 2;

/** The query with costly leaves checked where it would cost the index too much. */
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

/** Leaves of several facets and longer phrases become ones that are checked; those of one List share its set. */
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
