import type { UrlEntity } from '../../core/entities.js';
import { foldText } from '../../core/search-text/fold.js';
import { tokensOf } from '../../core/search-text/tokenize.js';
import type { MediaType, Place, Post } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { SearchDocument } from '../../storage/search.js';
import { ownWords } from './own-words.js';
import { boundedToken, FACET, PLACE_PREFIX, sampleFacetOf, UNTIMED, URL_PREFIX } from './facets.js';

/** A post with all that search sees of it. */
export interface SearchablePost {
  readonly post: Post;
  /** What it reposts, where that is stored: its text, entities, annotations and media are the repost's. */
  readonly original?: Post;
  /** Of the post itself. */
  readonly isAuthorVerified: boolean;
  /** Of the original, where there is one. */
  readonly mediaTypes: readonly MediaType[];
  /** Of the post itself. */
  readonly place?: Place;
}

/** Context annotations, as they came on the wire (reference/objects.md section 1): archives may hold anything there. */
interface ContextAnnotation {
  readonly domain?: { readonly id?: unknown } | null;
  readonly entity?: { readonly id?: unknown; readonly name?: unknown } | null;
}

/** What the index keeps of a post (reference/search-query.md sections 3, 5 and 9). */
export function documentOf(searchable: SearchablePost): SearchDocument {
  const { post, original, place } = searchable;
  const content = original ?? post;
  const isRepost = post.repostedPostId !== undefined;
  const runs = [
    tokensOf(ownWords(content)),
    ...addressesOf(content).map((address) => prefixed(URL_PREFIX, tokensOf(address))),
    ...(isRepost ? [] : placeNamesOf(place).map((name) => prefixed(PLACE_PREFIX, tokensOf(name)))),
  ];
  const facets = [
    ...relationFacets(searchable),
    ...entityFacets(content),
    ...annotationFacets(content),
    ...featureFacets(searchable, content),
    ...(isRepost ? [] : placeFacets(post, place)),
  ];
  return {
    id: post.id,
    runs: runs.filter((run) => run.length > 0).map((run) => run.map(boundedToken)),
    facets: [...new Set(facets)],
  };
}

function prefixed(prefix: string, tokens: readonly string[]): string[] {
  return tokens.map((token) => prefix + token);
}

function relationFacets({ post, original, isAuthorVerified }: SearchablePost): string[] {
  const { inReplyToUserId, inReplyToPostId, repostedPostId, quotedPostId } = post;
  const isReply = inReplyToUserId !== undefined || inReplyToPostId !== undefined;
  return [
    FACET.from(post.authorId),
    FACET.conversation(post.conversationId),
    FACET.lang(post.lang),
    sampleFacetOf(post.id),
    ...(isTimed(post) ? [] : [UNTIMED]),
    ...(inReplyToUserId === undefined ? [] : [FACET.to(inReplyToUserId)]),
    ...(inReplyToPostId === undefined ? [] : [FACET.replyTo(inReplyToPostId)]),
    ...(repostedPostId === undefined ? [] : [FACET.is('repost'), FACET.repostOf(repostedPostId)]),
    ...(original === undefined ? [] : [FACET.repostsOfUser(original.authorId)]),
    ...(quotedPostId === undefined ? [] : [FACET.is('quote'), FACET.quoteOf(quotedPostId)]),
    ...(isReply ? [FACET.is('reply')] : []),
    ...(isAuthorVerified ? [FACET.is('verified')] : []),
    ...(post.nullcast ? [FACET.is('nullcast')] : []),
  ];
}

/** True when the id tells the second in which the post was made. */
export function isTimed({ id, createdAtMs }: Pick<Post, 'id' | 'createdAtMs'>): boolean {
  const idMs = timeOfId(id);
  return idMs !== undefined && Math.floor(idMs / 1000) === Math.floor(createdAtMs / 1000);
}

function entityFacets({ detail: { entities } }: Post): string[] {
  return [
    ...(entities?.hashtags ?? []).map(({ tag }) => FACET.hashtag(foldText(tag))),
    ...(entities?.cashtags ?? []).map(({ tag }) => FACET.cashtag(foldText(tag))),
    ...(entities?.mentions ?? []).map(({ username }) => FACET.mention(username)),
  ];
}

function annotationFacets({ detail: { entities, contextAnnotations } }: Post): string[] {
  const contexts = ((contextAnnotations ?? []) as readonly (ContextAnnotation | null)[]).map((context) => ({
    domainId: textOf(context?.domain?.id),
    entityId: textOf(context?.entity?.id),
    name: textOf(context?.entity?.name),
  }));
  const names = [
    ...(entities?.annotations ?? []).map((annotation) => textOf(annotation.normalized_text)),
    ...contexts.map(({ name }) => name),
  ];
  return [
    ...contexts.flatMap(({ domainId, entityId }) => [
      ...(domainId === undefined ? [] : [FACET.domain(domainId)]),
      ...(entityId === undefined ? [] : [FACET.entity(entityId)]),
      ...(domainId === undefined || entityId === undefined ? [] : [FACET.context(domainId, entityId)]),
    ]),
    ...names.flatMap((name) => (name === undefined ? [] : [FACET.named(foldText(name))])),
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function featureFacets({ mediaTypes }: SearchablePost, { detail: { entities } }: Post): string[] {
  const has = {
    hashtags: isFilled(entities?.hashtags),
    cashtags: isFilled(entities?.cashtags),
    mentions: isFilled(entities?.mentions),
    links: isFilled(entities?.urls) || mediaTypes.length > 0,
    media: mediaTypes.length > 0,
    images: mediaTypes.includes('photo'),
    videos: mediaTypes.includes('video'),
  };
  return (Object.keys(has) as (keyof typeof has)[])
    .filter((feature) => has[feature])
    .map((feature) => FACET.has(feature));
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

function placeFacets(post: Post, place: Place | undefined): string[] {
  const isTagged = post.placeId !== undefined || post.detail.coordinates !== undefined;
  return [
    ...(isTagged ? [FACET.has('geo')] : []),
    ...(post.placeId === undefined ? [] : [FACET.place(post.placeId)]),
    ...(place?.countryCode === undefined ? [] : [FACET.country(place.countryCode)]),
  ];
}

function placeNamesOf(place: Place | undefined): string[] {
  return distinct([place?.fullName, place?.name]);
}

/** Each address of a post's links: as written, expanded, unwound. */
function addressesOf({ detail }: Post): string[] {
  const urls: readonly UrlEntity[] = detail.entities?.urls ?? [];
  return distinct(urls.flatMap((url) => [url.url, url.expanded_url, url.unwound_url].map(textOf)));
}

function distinct(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}
