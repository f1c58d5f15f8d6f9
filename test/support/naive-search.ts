import { foldText } from '../../src/core/search-text/fold.js';
import type { TokenPhrase } from '../../src/core/search-text/tokenize.js';
import { containsPhrase, tokensOf } from '../../src/core/search-text/tokenize.js';
import { isAnd, isNot, isOr } from '../../src/query/ast.js';
import type {
  Condition,
  PostFeature,
  PostFlag,
  SearchExpression,
  UserRef,
} from '../../src/query/conditions.js';
import type { Point } from '../../src/query/geo.js';
import { metresBetween } from '../../src/query/geo.js';
import { samplePercentile } from '../../src/core/id-shares.js';

/** The members of a user that queries can match. */
export interface SearchableUser {
  readonly id: bigint;
  readonly username: string;
}

/**
 * The members of a post that queries can match. A repost has the text, entities, annotations, media and place of its
 * original, and its own other members.
 */
export interface SearchablePost {
  readonly id: bigint;
  readonly text: string;
  readonly lang: string;
  readonly author: SearchableUser & { readonly verified: boolean; readonly listIds: readonly bigint[] };
  readonly conversationId: bigint;
  readonly nullcast: boolean;
  /** `in_reply_to_user_id`; can be set where `repliedToPostId` is not. */
  readonly inReplyToUser?: SearchableUser;
  readonly repliedToPostId?: bigint;
  readonly quotedPostId?: bigint;
  readonly reposted?: { readonly postId: bigint; readonly author: SearchableUser };
  readonly hashtags: readonly string[];
  readonly cashtags: readonly string[];
  /** Usernames. */
  readonly mentions: readonly string[];
  readonly urls: readonly {
    readonly url: string;
    readonly expandedUrl?: string;
    readonly unwoundUrl?: string;
  }[];
  readonly media: readonly ('photo' | 'video' | 'animated_gif')[];
  /** `normalized_text` of the entity annotations. */
  readonly annotations: readonly string[];
  readonly contexts: readonly {
    readonly domainId: string;
    readonly entityId: string;
    readonly entityName?: string;
  }[];
  readonly place?: {
    readonly id: string;
    readonly fullName: string;
    readonly name?: string;
    readonly countryCode?: string;
    /** West, south, east, north. */
    readonly box?: readonly [number, number, number, number];
  };
  readonly coordinates?: Point;
  readonly counts: { readonly likes: number; readonly replies: number; readonly reposts: number };
}

/** A default post that tests override. */
export const PLAIN_POST: SearchablePost = {
  id: 1n,
  text: '',
  lang: 'en',
  author: { id: 1n, username: 'alice', verified: false, listIds: [] },
  conversationId: 1n,
  nullcast: false,
  hashtags: [],
  cashtags: [],
  mentions: [],
  urls: [],
  media: [],
  annotations: [],
  contexts: [],
  counts: { likes: 0, replies: 0, reposts: 0 },
};

/** Evaluates a query on a post member by member, without an index: the reference for every index. */
export function naiveMatch(post: SearchablePost, expression: SearchExpression): boolean {
  if (isAnd(expression)) return expression.operands.every((operand) => naiveMatch(post, operand));
  if (isOr(expression)) return expression.operands.some((operand) => naiveMatch(post, operand));
  if (isNot(expression)) return !naiveMatch(post, expression.operand);
  return fulfils(post, expression);
}

function fulfils(post: SearchablePost, condition: Condition): boolean {
  switch (condition.kind) {
    case 'text':
      return holds(post.text, condition.phrase);
    case 'hashtag':
      return post.hashtags.some((tag) => foldText(tag) === condition.tag);
    case 'cashtag':
      return post.cashtags.some((tag) => foldText(tag) === condition.tag);
    case 'mention':
      return post.mentions.some((username) => username.toLowerCase() === condition.username);
    case 'from':
      return isUser(post.author, condition.user);
    case 'to':
      return isUser(post.inReplyToUser, condition.user);
    case 'reposts-of-user':
      return isUser(post.reposted?.author, condition.user);
    case 'url':
      return post.urls.some((url) =>
        [url.url, url.expandedUrl, url.unwoundUrl].some((address) => holds(address, condition.phrase)),
      );
    case 'reply-to-post':
      return post.repliedToPostId === condition.postId;
    case 'repost-of-post':
      return post.reposted?.postId === condition.postId;
    case 'quote-of-post':
      return post.quotedPostId === condition.postId;
    case 'conversation':
      return post.conversationId === condition.postId;
    case 'context':
      return post.contexts.some(
        ({ domainId, entityId }) =>
          (condition.domainId ?? domainId) === domainId && (condition.entityId ?? entityId) === entityId,
      );
    case 'entity':
      return [...post.annotations, ...post.contexts.map(({ entityName }) => entityName ?? '')].some(
        (name) => foldText(name) === condition.name,
      );
    case 'list':
      return post.author.listIds.includes(condition.listId);
    case 'place':
    case 'place-country':
    case 'point-radius':
    case 'bounding-box':
      return isThere(post, condition);
    case 'sample':
      return samplePercentile(post.id) < condition.percent;
    case 'is':
      return hasFlag(post, condition.flag);
    case 'has':
      return hasFeature(post, condition.feature);
    case 'lang':
      return post.lang === condition.lang;
    case 'min-count':
      return post.counts[condition.counted] >= condition.minimum;
  }
}

/** The tokens of the texts compared so far, each of which is compared with hundreds of queries. */
const known = new Map<string, ReturnType<typeof tokensOf>>();

function holds(text: string | undefined, phrase: TokenPhrase): boolean {
  if (text === undefined) return false;
  const tokens = known.get(text) ?? tokensOf(text);
  known.set(text, tokens);
  return containsPhrase(tokens, phrase);
}

function isUser(user: SearchableUser | undefined, ref: UserRef): boolean {
  if (user === undefined) return false;
  return ref.by === 'id' ? user.id === ref.id : user.username.toLowerCase() === ref.username;
}

type GeoCondition = Extract<
  Condition,
  { readonly kind: 'place' | 'place-country' | 'point-radius' | 'bounding-box' }
>;

function isThere({ place, coordinates }: SearchablePost, condition: GeoCondition): boolean {
  if (condition.kind === 'place') {
    return (
      place !== undefined &&
      (place.id.toLowerCase() === condition.placeId ||
        holds(place.name, condition.phrase) ||
        holds(place.fullName, condition.phrase))
    );
  }
  if (condition.kind === 'place-country') return place?.countryCode?.toUpperCase() === condition.countryCode;
  const corners = place?.box === undefined ? [] : cornersOf(place.box);
  return [coordinates === undefined ? [] : [coordinates], corners].some(
    (points) => points.length > 0 && points.every((point) => isInside(point, condition)),
  );
}

function cornersOf([west, south, east, north]: readonly [number, number, number, number]): Point[] {
  return [
    [west, south],
    [west, north],
    [east, south],
    [east, north],
  ];
}

function isInside(
  point: Point,
  area: Extract<GeoCondition, { readonly kind: 'point-radius' | 'bounding-box' }>,
): boolean {
  if (area.kind === 'point-radius') {
    return metresBetween([area.longitude, area.latitude], point) <= area.radiusMetres;
  }
  const [longitude, latitude] = point;
  return longitude >= area.west && longitude <= area.east && latitude >= area.south && latitude <= area.north;
}

function hasFlag(post: SearchablePost, flag: PostFlag): boolean {
  switch (flag) {
    case 'repost':
      return post.reposted !== undefined;
    case 'reply':
      return post.inReplyToUser !== undefined || post.repliedToPostId !== undefined;
    case 'quote':
      return post.quotedPostId !== undefined;
    case 'verified':
      return post.author.verified;
    case 'nullcast':
      return post.nullcast;
  }
}

function hasFeature(post: SearchablePost, feature: PostFeature): boolean {
  switch (feature) {
    case 'hashtags':
      return post.hashtags.length > 0;
    case 'cashtags':
      return post.cashtags.length > 0;
    case 'mentions':
      return post.mentions.length > 0;
    case 'links':
      return post.urls.length > 0 || post.media.length > 0;
    case 'media':
      return post.media.length > 0;
    case 'images':
      return post.media.includes('photo');
    case 'videos':
      return post.media.includes('video');
    case 'geo':
      return post.place !== undefined || post.coordinates !== undefined;
  }
}
