import type { PollId, PostId, UserId } from '../../core/ids.js';
import { mediaIdOfKey, NO_POST_COUNTS, wholeTextOf, type Post } from '../../core/post.js';
import type { Visibility } from '../../core/visibility.js';
import { PostSet } from '../hydrate/posts.js';
import type { ViewReads } from '../hydrate/reads.js';
import { mentionedUsers } from './mentioned.js';
import type { PostCard } from './post-card.js';

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
  /** If true, the cards are of exactly these versions, otherwise of the newest ones. */
  readonly isExact?: boolean;
}

/** Loads posts with all data of their cards. */
export function loadCards(
  { reads }: { readonly reads: ViewReads },
  { ids, viewerId, isExact = false }: CardRequest,
): Promise<CardSet> {
  const posts = new PostSet(reads, viewerId);
  return posts.complete(() => {
    const find = (id: PostId): Post | undefined => (isExact ? posts.find(id) : posts.findNewest(id));
    const entries = new Map(ids.map((id) => [id, entryOf(find(id), posts)]));
    return {
      find: (id) => entries.get(id)?.card,
      visibility: (id) => entries.get(id)?.visibility,
    };
  });
}

interface Entry {
  readonly visibility: Visibility;
  readonly card?: PostCard;
}

function entryOf(post: Post | undefined, posts: PostSet): Entry | undefined {
  if (!post) return undefined;
  const visibility = posts.visibility(post);
  return visibility === 'visible' ? { visibility, card: cardOf(post, posts) } : { visibility };
}

function cardOf(post: Post, posts: PostSet): PostCard {
  const original = post.repostedPostId === undefined ? undefined : posts.findNewest(post.repostedPostId);
  if (!original) return plainCard(post, posts, true);
  return { ...plainCard(original, posts, true), repostedBy: posts.users.find(post.authorId) };
}

/** Builds a card; quoted posts show no further quotes. */
function plainCard(post: Post, posts: PostSet, showsQuote: boolean): PostCard {
  const { detail, placeId, quotedPostId } = post;
  return {
    post,
    author: posts.users.find(post.authorId),
    counts: posts.countsOf(post) ?? NO_POST_COUNTS,
    media: (detail.mediaKeys ?? []).flatMap((key) => posts.findMedia(mediaIdOfKey(key)) ?? []),
    poll: (detail.pollIds ?? []).flatMap((id) => posts.findPoll(BigInt(id) as PollId) ?? [])[0],
    place: placeId === undefined ? undefined : posts.findPlace(placeId),
    quoted: quotedPostId === undefined || !showsQuote ? undefined : quotedCard(quotedPostId, posts),
    mentioned: mentionedUsers(posts, wholeTextOf(post).entities),
  };
}

function quotedCard(id: PostId, posts: PostSet): PostCard | 'unavailable' {
  const quoted = posts.findNewest(id);
  return quoted && posts.visibility(quoted) === 'visible' ? plainCard(quoted, posts, false) : 'unavailable';
}
