import type { PostId, UserId } from '../core/ids.js';
import type { TokenPhrase } from '../core/search-text/tokenize.js';
import type { Expression } from './ast.js';

/** A user by id or by username (in lower case). */
export type UserRef =
  | { readonly by: 'id'; readonly id: UserId }
  | { readonly by: 'username'; readonly username: string };

export type PostFlag = 'repost' | 'reply' | 'quote' | 'verified' | 'nullcast';

export type PostFeature =
  | 'hashtags'
  | 'links'
  | 'mentions'
  | 'cashtags'
  | 'media'
  | 'images'
  | 'videos'
  | 'geo';

/**
 * A condition on a post, of both search and stream rules (docs/api/search.md#operators). For a repost, text and entities are those of the original
 * (docs/api/search.md#matching).
 */
export type CommonPredicate =
  /** The text contains the tokens. */
  | { readonly kind: 'text'; readonly phrase: TokenPhrase }
  /** A hashtag entity; `tag` is folded. */
  | { readonly kind: 'hashtag'; readonly tag: string }
  /** A cashtag entity; `tag` is folded. */
  | { readonly kind: 'cashtag'; readonly tag: string }
  /** A mention entity; `username` in lower case. */
  | { readonly kind: 'mention'; readonly username: string }
  /** The author; of a repost, the reposting user. */
  | { readonly kind: 'from'; readonly user: UserRef }
  /** `in_reply_to_user_id`. */
  | { readonly kind: 'to'; readonly user: UserRef }
  /** One of a link's addresses (as written, expanded, unwound) contains the tokens. */
  | { readonly kind: 'url'; readonly phrase: TokenPhrase }
  /** A repost of a post of this user. */
  | { readonly kind: 'reposts-of-user'; readonly user: UserRef }
  | { readonly kind: 'reply-to-post'; readonly postId: PostId }
  | { readonly kind: 'repost-of-post'; readonly postId: PostId }
  | { readonly kind: 'quote-of-post'; readonly postId: PostId }
  | { readonly kind: 'conversation'; readonly postId: PostId }
  /** A context annotation; an absent part is a wildcard, and at least one is present. */
  | { readonly kind: 'context'; readonly domainId?: string; readonly entityId?: string }
  /** The name of an entity annotation or of a context annotation's entity; `name` is folded. */
  | { readonly kind: 'entity'; readonly name: string }
  /** The author is a member of the List. */
  | { readonly kind: 'list'; readonly listId: bigint }
  /** The place has this id, or its name or full name contains the tokens. For a repost, the original's place. */
  | { readonly kind: 'place'; readonly placeId: string; readonly phrase: TokenPhrase }
  /** The place's country, ISO alpha-2 in upper case. For a repost, the original's place. */
  | { readonly kind: 'place-country'; readonly countryCode: string }
  /** The coordinates, or the whole box of the place, are within the radius. For a repost, those of the original. */
  | {
      readonly kind: 'point-radius';
      readonly longitude: number;
      readonly latitude: number;
      readonly radiusMetres: number;
    }
  /** The coordinates, or the whole box of the place, are inside the box. For a repost, those of the original. */
  | {
      readonly kind: 'bounding-box';
      readonly west: number;
      readonly south: number;
      readonly east: number;
      readonly north: number;
    }
  /** `samplePercentile(id)` is below `percent`, 1 to 100. */
  | { readonly kind: 'sample'; readonly percent: number }
  | { readonly kind: 'is'; readonly flag: PostFlag }
  | { readonly kind: 'has'; readonly feature: PostFeature }
  /** The language code on the wire. */
  | { readonly kind: 'lang'; readonly lang: string };

/** A condition of search and counts. */
export type Predicate =
  | CommonPredicate
  /** The public count is at least this. */
  | {
      readonly kind: 'min-count';
      readonly counted: 'likes' | 'replies' | 'reposts';
      readonly minimum: number;
    };

/** A predicate and its position in the query. */
export type Positioned<P> = P & { readonly at: number };

export type Condition = Positioned<Predicate>;

/**
 * A query that has passed all checks. Each branch contains a positive condition of a standalone operator, so that an
 * index never has to answer "all except".
 */
export type SearchExpression = Expression<Condition>;
