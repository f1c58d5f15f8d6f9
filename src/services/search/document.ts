import type { MediaId, PostId, UserId } from '../../core/ids.js';
import { type Media, type MediaType, type Place, mediaIdOfKey } from '../../core/post.js';
import { type Fold, foldText } from '../../core/search-text/fold.js';
import { tokensOf } from '../../core/search-text/tokenize.js';
import type { Queryable } from '../../database/engine.js';
import { RUN_GAP, type SearchDocument } from '../../database/search.js';
import { findMedia } from '../../stores/media.js';
import { findPlaces } from '../../stores/places.js';
import { findNewestVersions } from '../../stores/posts.js';
import { type ProtectedPeriod, findProtectedPeriods } from '../../stores/protected-periods.js';
import { type AuthorState, findAuthorStates } from '../../stores/users.js';
import type { PostFeature } from '../../query/conditions.js';
import { FACET, PLACE_PREFIX } from './facets.js';
import { type IndexablePost, distinct, indexable, prefixed, runsText } from './post-terms.js';

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

/**
 * Returns the search document of a post whose terms were folded by `fold` (docs/api/search.md#operators,
 * docs/api/search.md#matching).
 */
export function documentOf(searchable: SearchablePost, fold: Fold = foldText): SearchDocument {
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
    runs: joined(RUN_GAP, [terms.runs, place === undefined ? '' : placeRuns(place, fold)]),
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

function placeRuns({ fullName, name }: Place, fold: Fold): string {
  return runsText(distinct([fullName, name]).map((text) => prefixed(PLACE_PREFIX, tokensOf(text, fold))));
}

interface Loaded {
  readonly originals: ReadonlyMap<PostId, IndexablePost>;
  readonly authors: ReadonlyMap<UserId, AuthorState>;
  readonly periods: ReadonlyMap<UserId, readonly ProtectedPeriod[]>;
  readonly media: ReadonlyMap<MediaId, Media>;
  readonly places: ReadonlyMap<string, Place>;
}

/** Loads the data of the posts that search may find; omits the others. `fold` is that of the posts' terms. */
export async function loadSearchable(
  db: Queryable,
  posts: readonly IndexablePost[],
  fold: Fold = foldText,
): Promise<SearchablePost[]> {
  const originals = await loadOriginals(db, posts, fold);
  const all = [...posts, ...originals.values()];
  const authorIds = [...new Set(all.map((post) => post.authorId))];
  const loaded: Loaded = {
    originals,
    authors: await findAuthorStates(db, authorIds),
    periods: await findProtectedPeriods(db, authorIds),
    media: await findMedia(db, all.flatMap(mediaIdsOf)),
    places: await findPlaces(db, definedOf(all.map((post) => post.placeId))),
  };
  return posts.filter((post) => mayBeFound(loaded, post)).map((post) => searchableOf(loaded, post));
}

/** Originals are often in the same batch when posts come from an archive. */
async function loadOriginals(
  db: Queryable,
  posts: readonly IndexablePost[],
  fold: Fold,
): Promise<Map<PostId, IndexablePost>> {
  const own = new Map(posts.map((post) => [post.id, post]));
  const ids = definedOf(posts.map((post) => post.repostedPostId));
  // A repost names the first version of an edited post and has the words of the newest.
  const stored = await findNewestVersions(
    db,
    ids.filter((id) => !own.has(id) || own.get(id)?.editHistory),
  );
  const originals = new Map<PostId, IndexablePost>();
  for (const id of ids) {
    const post = stored.get(id);
    const original = post ? indexable(post, fold) : own.get(id);
    if (original) originals.set(id, original);
  }
  return originals;
}

function definedOf<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

function mediaIdsOf({ mediaKeys }: IndexablePost): MediaId[] {
  return (mediaKeys ?? []).map(mediaIdOfKey);
}

/**
 * Reports whether search may find a post: it is public, the newest version, and was not created while its author was
 * protected (docs/api/search.md#matching, docs/api/people.md#follows-blocks-and-mutes). The same applies to the
 * original of a repost.
 */
function mayBeFound(loaded: Loaded, post: IndexablePost): boolean {
  const newest = post.editHistory?.at(-1);
  if (newest !== undefined && newest !== String(post.id)) return false;
  const original = originalOf(loaded, post);
  return isPublic(loaded, post) && (original === undefined || isPublic(loaded, original));
}

function isPublic({ authors, periods }: Loaded, post: IndexablePost): boolean {
  const author = authors.get(post.authorId);
  if (post.superFollowersOnly || author?.protected || author?.suspended) return false;
  return !(periods.get(post.authorId) ?? []).some(
    ({ startedAtMs, endedAtMs = Infinity }) =>
      post.createdAtMs >= startedAtMs && post.createdAtMs < endedAtMs,
  );
}

function originalOf({ originals }: Loaded, { repostedPostId }: IndexablePost): IndexablePost | undefined {
  return repostedPostId === undefined ? undefined : originals.get(repostedPostId);
}

function searchableOf(loaded: Loaded, post: IndexablePost): SearchablePost {
  const original = originalOf(loaded, post);
  const content = original ?? post;
  const types = mediaIdsOf(content).map((id): MediaType | undefined => loaded.media.get(id)?.type);
  return {
    post,
    original,
    isAuthorVerified: loaded.authors.get(post.authorId)?.verified ?? false,
    mediaTypes: types.filter((type) => type !== undefined),
    place: content.placeId === undefined ? undefined : loaded.places.get(content.placeId),
  };
}
