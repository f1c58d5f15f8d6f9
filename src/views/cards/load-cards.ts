import type { MediaId, PollId, PostId, UserId } from '../../core/ids.js';
import { mediaIdOfKey, NO_POST_COUNTS, type Post } from '../../core/post.js';
import type { Visibility } from '../../core/visibility.js';
import { findMedia } from '../../stores/media.js';
import { findPlaces } from '../../stores/places.js';
import { findPolls } from '../../stores/polls.js';
import { PostSet } from '../hydrate/posts.js';
import type { ViewReads } from '../hydrate/reads.js';
import type { CardParts, PostCard } from './post-card.js';

/** Cards of the requested posts, and the visibility of those without one. */
export interface CardSet {
  /** Returns the card of a visible post. */
  find(id: PostId): PostCard | undefined;
  /** Returns undefined for a post that is not stored. */
  visibility(id: PostId): Visibility | undefined;
}

export interface CardRequest {
  readonly ids: readonly PostId[];
  readonly viewerId: UserId | undefined;
}

/** Loads posts with all data of their cards in a fixed number of statements. */
export async function loadCards(
  { reads }: { readonly reads: ViewReads },
  { ids, viewerId }: CardRequest,
): Promise<CardSet> {
  const posts = new PostSet(reads, viewerId);
  await posts.load(ids);
  const asked = ids.map((id) => posts.find(id)).filter((post) => post !== undefined);
  const shown = asked.map((post) => posts.originalOf(post) ?? post);
  await posts.load(quotedIds(shown));
  const quoted = quotedIds(shown)
    .map((id) => posts.find(id))
    .filter((post) => post !== undefined);
  const parts = await loadParts(reads, posts, [...asked, ...shown, ...quoted]);
  return {
    find: (id) => {
      const post = posts.find(id);
      return post && posts.visibility(post) === 'visible' ? cardOf(post, posts, parts) : undefined;
    },
    visibility: (id) => {
      const post = posts.find(id);
      return post && posts.visibility(post);
    },
  };
}

async function loadParts(reads: ViewReads, posts: PostSet, all: readonly Post[]): Promise<CardParts> {
  await posts.loadCounts(
    all,
    all.map(({ id }) => id),
  );
  const [users, media, polls, places] = await Promise.all([
    reads.findUsers([...new Set(all.flatMap(usersOf))]),
    findMedia(reads.db, [...new Set(all.flatMap(mediaOf))]),
    findPolls(reads.db, [...new Set(all.flatMap(pollsOf))]),
    findPlaces(reads.db, [...new Set(all.flatMap(({ placeId }) => placeId ?? []))]),
  ]);
  return {
    users,
    media,
    polls,
    places,
    countsOf: (id) => posts.countsOf(id) ?? NO_POST_COUNTS,
    findVisible: (id) => {
      const post = posts.find(id);
      return post && posts.visibility(post) === 'visible' ? post : undefined;
    },
  };
}

function cardOf(post: Post, posts: PostSet, parts: CardParts): PostCard {
  const original = posts.originalOf(post);
  if (original) return { ...plainCard(original, parts, true), repostedBy: parts.users.get(post.authorId) };
  return plainCard(post, parts, true);
}

/** Builds a card; quoted posts show no further quotes. */
function plainCard(post: Post, parts: CardParts, showsQuote: boolean): PostCard {
  const { detail, quotedPostId } = post;
  const quoted = quotedPostId === undefined ? undefined : parts.findVisible(quotedPostId);
  return {
    post,
    author: parts.users.get(post.authorId),
    counts: parts.countsOf(post.id),
    media: mediaOf(post).flatMap((id) => parts.media.get(id) ?? []),
    poll: pollsOf(post).flatMap((id) => parts.polls.get(id) ?? [])[0],
    place: post.placeId === undefined ? undefined : parts.places.get(post.placeId),
    quoted:
      quotedPostId === undefined || !showsQuote
        ? undefined
        : quoted
          ? plainCard(quoted, parts, false)
          : 'unavailable',
    mentioned: new Map(
      (detail.entities?.mentions ?? []).flatMap(({ id }) => {
        const user = id === undefined ? undefined : parts.users.get(BigInt(id) as UserId);
        return id !== undefined && user ? [[id, user] as const] : [];
      }),
    ),
  };
}

function quotedIds(posts: readonly Post[]): PostId[] {
  return posts.flatMap(({ quotedPostId }) => quotedPostId ?? []);
}

function usersOf({ authorId, detail }: Post): UserId[] {
  const mentioned = (detail.entities?.mentions ?? []).flatMap(({ id }) => id ?? []);
  return [authorId, ...mentioned.map((id) => BigInt(id) as UserId)];
}

function mediaOf({ detail }: Post): MediaId[] {
  return (detail.mediaKeys ?? []).map(mediaIdOfKey);
}

function pollsOf({ detail }: Post): PollId[] {
  return (detail.pollIds ?? []).map((id) => BigInt(id) as PollId);
}
