import type { TokenPhrase } from '../../core/search-text/tokenize.js';
import type { Condition } from '../../query/conditions.js';
import { only, type Selection } from '../../query/selection.js';
import type { SearchLeaf } from '../../database/search.js';
import { boundedToken, FACET, PLACE_PREFIX, sampleFacets, URL_PREFIX } from './facets.js';
import type { QueryNames } from './query-names.js';

/** Adjacent tokens. */
export type PhraseLeaf = Extract<SearchLeaf, { readonly kind: 'phrase' }>;

/**
 * A condition that the index cannot answer, or only at high cost (costly-leaves.ts). It is checked on each candidate.
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
  const ofUser = (facet: (userId: bigint) => string, userId: bigint | undefined): Part =>
    userId === undefined ? facets() : facets(facet(userId));
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
      return ofUser(FACET.from, names.userId(condition.user));
    case 'to':
      return ofUser(FACET.to, names.userId(condition.user));
    case 'reposts-of-user':
      return ofUser(FACET.repostsOfUser, names.userId(condition.user));
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

function facets(...anyOf: readonly string[]): Part {
  return only({ kind: 'facets', anyOf });
}

function phrase(prefix: string, { tokens, lastIsPrefix }: TokenPhrase): Part {
  return only({ kind: 'phrase', tokens: tokens.map((token) => boundedToken(prefix + token)), lastIsPrefix });
}
