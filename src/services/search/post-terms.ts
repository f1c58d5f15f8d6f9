import type { UrlEntity } from '../../core/entities.js';
import { headOf, isReply, wholeTextOf, type Post, type PostHead } from '../../core/post.js';
import { type Fold, foldText } from '../../core/search-text/fold.js';
import { tokensOf } from '../../core/search-text/tokenize.js';
import { timeOfId } from '../../core/snowflake.js';
import { withMembers } from '../../core/with-members.js';
import { RUN_GAP } from '../../database/search.js';
import { boundedToken, FACET, sampleFacetOf, UNTIMED, URL_PREFIX } from './facets.js';

/**
 * The search terms that derive from the post alone, as texts of a SearchDocument. They are most of the work of
 * indexing, and can be computed ahead of the transaction.
 */
interface PostTerms {
  /** Tokens of the text and of URLs. */
  readonly runs: string;
  /** Facets of entities, annotations and place; reposts share these and the runs. */
  readonly contentFacets: string;
  readonly hasLinks: boolean;
  /** Facets of the post itself, which its reposts do not share. */
  readonly ownFacets: string;
}

/** The input of the index: the head of a post and its terms. */
export interface IndexablePost extends PostHead {
  readonly terms: PostTerms;
}

/** Returns the input of the index, with words folded by `fold`. */
export function indexable(post: Post, fold: Fold = foldText): IndexablePost {
  return withMembers(headOf(post), { terms: termsOf(post, fold) });
}

/** Returns the terms of a post (docs/api/search.md#operators, docs/api/search.md#matching). */
function termsOf(post: Post, fold: Fold): PostTerms {
  const { entities } = wholeTextOf(post);
  return {
    runs: runsText([
      tokensOf(ownWords(post), fold),
      ...addressesOf(post).map((address) => prefixed(URL_PREFIX, tokensOf(address, fold))),
    ]),
    contentFacets: facetsText([
      ...entityFacets(post, fold),
      ...annotationFacets(post, fold),
      ...placeFacets(post),
    ]),
    hasLinks: isFilled(entities?.urls),
    ownFacets: facetsText(relationFacets(post)),
  };
}

/** Joins runs of tokens into the text of a document. */
export function runsText(runs: readonly (readonly string[])[]): string {
  return runs
    .filter((run) => run.length > 0)
    .map((run) => run.map(boundedToken).join(' '))
    .join(RUN_GAP);
}

export function prefixed(prefix: string, tokens: readonly string[]): string[] {
  return tokens.map((token) => prefix + token);
}

export function distinct(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** Reports whether the id encodes the second in which the post was created. */
export function isTimed({ id, createdAtMs }: Pick<Post, 'id' | 'createdAtMs'>): boolean {
  const idMs = timeOfId(id);
  return idMs !== undefined && Math.floor(idMs / 1000) === Math.floor(createdAtMs / 1000);
}

function facetsText(facets: readonly string[]): string {
  return [...new Set(facets)].join(' ');
}

function relationFacets(post: Post): string[] {
  const { inReplyToUserId, inReplyToPostId, repostedPostId, quotedPostId } = post;
  return [
    FACET.from(post.authorId),
    FACET.conversation(post.conversationId),
    FACET.lang(post.lang),
    sampleFacetOf(post.id),
    ...(isTimed(post) ? [] : [UNTIMED]),
    ...(inReplyToUserId === undefined ? [] : [FACET.to(inReplyToUserId)]),
    ...(inReplyToPostId === undefined ? [] : [FACET.replyTo(inReplyToPostId)]),
    ...(repostedPostId === undefined ? [] : [FACET.is('repost'), FACET.repostOf(repostedPostId)]),
    ...(quotedPostId === undefined ? [] : [FACET.is('quote'), FACET.quoteOf(quotedPostId)]),
    ...(isReply(post) ? [FACET.is('reply')] : []),
    ...(post.nullcast ? [FACET.is('nullcast')] : []),
  ];
}

function placeFacets({ placeId, detail }: Post): string[] {
  const isTagged = placeId !== undefined || detail.coordinates !== undefined;
  return [...(isTagged ? [FACET.has('geo')] : []), ...(placeId === undefined ? [] : [FACET.place(placeId)])];
}

function entityFacets(post: Post, fold: Fold): string[] {
  const { entities } = wholeTextOf(post);
  return [
    ...(entities?.hashtags ?? []).map(({ tag }) => FACET.hashtag(fold(tag))),
    ...(entities?.cashtags ?? []).map(({ tag }) => FACET.cashtag(fold(tag))),
    ...(entities?.mentions ?? []).map(({ username }) => FACET.mention(username)),
    ...FEATURES.filter((feature) => isFilled(entities?.[feature])).map(FACET.has),
  ];
}

/** Entities with a `has:` operator, except links, which media count as too. */
const FEATURES = ['hashtags', 'cashtags', 'mentions'] as const;

/** A context annotation as stored from the wire (docs/api/objects.md#post). Archives may contain any value. */
interface ContextAnnotation {
  readonly domain?: { readonly id?: unknown } | null;
  readonly entity?: { readonly id?: unknown; readonly name?: unknown } | null;
}

function annotationFacets({ detail: { entities, contextAnnotations } }: Post, fold: Fold): string[] {
  const contexts = ((contextAnnotations ?? []) as readonly (ContextAnnotation | null)[]).map((context) => ({
    domainId: textOf(context?.domain?.id),
    entityId: textOf(context?.entity?.id),
    name: textOf(context?.entity?.name),
  }));
  const names = distinct([
    ...(entities?.annotations ?? []).map((annotation) => textOf(annotation.normalized_text)),
    ...contexts.map(({ name }) => name),
  ]);
  return [
    ...contexts.flatMap(({ domainId, entityId }) => [
      ...(domainId === undefined ? [] : [FACET.domain(domainId)]),
      ...(entityId === undefined ? [] : [FACET.entity(entityId)]),
      ...(domainId === undefined || entityId === undefined ? [] : [FACET.context(domainId, entityId)]),
    ]),
    ...names.map((name) => FACET.named(fold(name))),
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** Returns every URL of a post's links: as written, expanded and unwound. */
export function addressesOf(post: Post): string[] {
  const urls: readonly UrlEntity[] = wholeTextOf(post).entities?.urls ?? [];
  return distinct(urls.flatMap((url) => [url.url, url.expanded_url, url.unwound_url].map(textOf)));
}

const STATUS_LINK = /^https?:\/\/\S+\/status\/([0-9]{1,19})(?:\/(?:photo|video)\/1)?$/;

/**
 * Returns the text of a post without the links to its media and quoted post that the server appended
 * (posts/compose-text.ts). Those links are indexed as URLs only.
 */
function ownWords(post: Post): string {
  const { id, quotedPostId, detail } = post;
  let { text } = wholeTextOf(post);
  if (quotedPostId === undefined && detail.mediaKeys === undefined) return text;
  for (;;) {
    const start = text.lastIndexOf(' ') + 1;
    const linked = STATUS_LINK.exec(text.slice(start))?.[1];
    if (linked !== String(id) && linked !== String(quotedPostId)) return text;
    text = text.slice(0, Math.max(0, start - 1));
  }
}
