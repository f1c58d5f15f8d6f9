import type { TokenPhrase } from '../../core/search-text/tokenize.js';
import type { Condition, UserRef } from '../../query/conditions.js';
import { mapLeaves, only, type Selection } from '../../query/selection.js';
import type { SearchLeaf } from '../../database/search.js';
import { boundedToken, FACET, PLACE_PREFIX, sampleFacets, URL_PREFIX } from './facets.js';
import type { QueryNames } from './query-names.js';

/** Adjacent tokens. */
export type PhraseLeaf = Extract<SearchLeaf, { readonly kind: 'phrase' }>;

/**
 * A condition that the index cannot answer, or only at high cost (`withinCost`). It is checked on each candidate.
 */
export type CheckedCondition =
  | Extract<Condition, { readonly kind: 'point-radius' | 'bounding-box' | 'min-count' }>
  | { readonly kind: 'any-facet'; readonly facets: ReadonlySet<string> }
  | PhraseLeaf;

/** A leaf of a plan; a leaf with an empty list of facets matches nothing. */
export type PlanLeaf = SearchLeaf | { readonly kind: 'checked'; readonly condition: CheckedCondition };

type Part = Selection<PlanLeaf>;

/** Returns the part of the plan for one condition of a query. */
export function partOf(condition: Condition, names: QueryNames): Part {
  const ofUser = (facet: (user: bigint | string) => string, user: UserRef): Part => {
    const key = names.userKey(user);
    return key === undefined ? facets() : facets(facet(key));
  };
  switch (condition.kind) {
    case 'text':
      return phrase('', condition.phrase);
    case 'url':
      return phrase(URL_PREFIX, condition.phrase);
    case 'hashtag':
      return facets(FACET.hashtag(condition.tag));
    case 'cashtag':
      return facets(FACET.cashtag(condition.tag));
    case 'mention':
      return facets(FACET.mention(condition.username));
    case 'from':
      return ofUser(FACET.from, condition.user);
    case 'to':
      return ofUser(FACET.to, condition.user);
    case 'reposts-of-user':
      return ofUser(FACET.repostsOfUser, condition.user);
    case 'list':
      return only({ kind: 'facets', anyOf: names.members(condition.listId) });
    case 'reply-to-post':
      return facets(FACET.replyTo(condition.postId));
    case 'repost-of-post':
      return facets(FACET.repostOf(condition.postId));
    case 'quote-of-post':
      return facets(FACET.quoteOf(condition.postId));
    case 'conversation':
      return facets(FACET.conversation(condition.postId));
    case 'context':
      return facets(contextFacet(condition));
    case 'entity':
      return facets(FACET.named(condition.name));
    case 'place':
      return {
        kind: 'any',
        of: [facets(FACET.place(condition.placeId)), phrase(PLACE_PREFIX, condition.phrase)],
      };
    case 'place-country':
      return facets(FACET.country(condition.countryCode));
    case 'sample':
      return facets(...sampleFacets(condition.percent));
    case 'is':
      return facets(FACET.is(condition.flag));
    case 'has':
      return facets(FACET.has(condition.feature));
    case 'lang':
      return facets(FACET.lang(condition.lang));
    case 'point-radius':
    case 'bounding-box':
    case 'min-count':
      return only({ kind: 'checked', condition });
  }
}

function contextFacet({ domainId, entityId }: Extract<Condition, { readonly kind: 'context' }>): string {
  if (domainId === undefined) return FACET.entity(entityId ?? '');
  return entityId === undefined ? FACET.domain(domainId) : FACET.context(domainId, entityId);
}

export function facets(...anyOf: readonly string[]): Part {
  return only({ kind: 'facets', anyOf });
}

export function phrase(prefix: string, { tokens, lastIsPrefix }: TokenPhrase): Part {
  return only({ kind: 'phrase', tokens: tokens.map((token) => boundedToken(prefix + token)), lastIsPrefix });
}

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
