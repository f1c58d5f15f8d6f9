import type { MediaType, Place } from '../../core/post.js';
import { tokensOf } from '../../core/search-text/tokenize.js';
import type { PostFeature } from '../../query/conditions.js';
import { RUN_GAP, type SearchDocument } from '../../database/search.js';
import { FACET, PLACE_PREFIX } from './facets.js';
import { distinct, prefixed, runsText, type IndexablePost } from './post-terms.js';

/** A post with all data that the search index uses. */
export interface SearchablePost {
  readonly post: IndexablePost;
  /** The stored original of a repost, which provides text, entities, annotations, media and place. */
  readonly original?: IndexablePost;
  /** Refers to the author of the post itself. */
  readonly isAuthorVerified: boolean;
  /** From the original of a repost. */
  readonly mediaTypes: readonly MediaType[];
  /** From the original of a repost. */
  readonly place?: Place;
}

/** Returns the search document of a post (docs/api/search.md#operators, docs/api/search.md#matching). */
export function documentOf(searchable: SearchablePost): SearchDocument {
  const { post, original, place } = searchable;
  const { terms } = original ?? post;
  const around = [
    ...(original === undefined ? [] : [FACET.repostsOfUser(original.authorId)]),
    ...(searchable.isAuthorVerified ? [FACET.is('verified')] : []),
    ...featuresOf(searchable, terms.hasLinks).map(FACET.has),
    ...(place?.countryCode === undefined ? [] : [FACET.country(place.countryCode)]),
  ];
  return {
    id: post.id,
    runs: joined(RUN_GAP, [terms.runs, place === undefined ? '' : placeRuns(place)]),
    facets: joined(' ', [post.terms.ownFacets, terms.contentFacets, ...around]),
  };
}

function joined(gap: string, texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(gap);
}

function featuresOf({ mediaTypes }: SearchablePost, hasLinks: boolean): PostFeature[] {
  const hasMedia = mediaTypes.length > 0;
  return [
    ...(hasLinks || hasMedia ? (['links'] as const) : []),
    ...(hasMedia ? (['media'] as const) : []),
    ...(mediaTypes.includes('photo') ? (['images'] as const) : []),
    ...(mediaTypes.includes('video') ? (['videos'] as const) : []),
  ];
}

function placeRuns({ fullName, name }: Place): string {
  return runsText(distinct([fullName, name]).map((text) => prefixed(PLACE_PREFIX, tokensOf(text))));
}
