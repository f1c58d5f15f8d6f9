import type { MediaId, PostId, UserId } from '../../core/ids.js';
import { mediaIdOfKey, type Media, type MediaType, type Place } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { findPlaces } from '../../stores/places.js';
import { findPosts } from '../../stores/posts.js';
import { findProtectedPeriods, type ProtectedPeriod } from '../../stores/protected-periods.js';
import { findAuthorStates, type AuthorState } from '../../stores/users.js';
import type { SearchablePost } from './document.js';
import { indexable, type IndexablePost } from './post-terms.js';

interface Loaded {
  readonly originals: ReadonlyMap<PostId, IndexablePost>;
  readonly authors: ReadonlyMap<UserId, AuthorState>;
  readonly periods: ReadonlyMap<UserId, readonly ProtectedPeriod[]>;
  readonly media: ReadonlyMap<MediaId, Media>;
  readonly places: ReadonlyMap<string, Place>;
}

/** Loads the data of the posts that search may find; omits the others. */
export async function loadSearchable(
  db: Queryable,
  posts: readonly IndexablePost[],
): Promise<SearchablePost[]> {
  const originals = await loadOriginals(db, posts);
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
): Promise<Map<PostId, IndexablePost>> {
  const own = new Map(posts.map((post) => [post.id, post]));
  const ids = definedOf(posts.map((post) => post.repostedPostId));
  const stored = await findPosts(
    db,
    ids.filter((id) => !own.has(id)),
  );
  const originals = new Map<PostId, IndexablePost>();
  for (const post of stored.values()) originals.set(post.id, indexable(post));
  for (const id of ids) {
    const post = own.get(id);
    if (post) originals.set(id, post);
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
