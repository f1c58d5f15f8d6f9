import type { Entities } from './entities.js';
import type { MediaId, PollId, PostId, UserId } from './ids.js';

/** What a request may ask for; absent means everyone (docs/api/objects.md). */
export const REQUESTED_REPLY_SETTINGS = ['following', 'mentionedUsers', 'subscribers', 'verified'] as const;
export const REPLY_SETTINGS = ['everyone', ...REQUESTED_REPLY_SETTINGS, 'other'] as const;
export type ReplySettings = (typeof REPLY_SETTINGS)[number];

/** Where content is not shown (docs/api/objects.md#post, `withheld`). */
export interface Withheld {
  readonly copyright?: boolean;
  readonly country_codes?: readonly string[];
  readonly scope?: string;
}

/**
 * The parts of a post that nothing is looked up by: kept as one JSON column. Members that only imported posts carry are
 * in the wire's shape, so that they come back as they came.
 */
export interface PostDetail {
  readonly entities?: Entities;
  readonly mediaKeys?: readonly string[];
  readonly pollIds?: readonly string[];
  /** Precise coordinates, beside the place. */
  readonly coordinates?: { readonly type: string; readonly coordinates: readonly number[] };
  readonly contextAnnotations?: readonly unknown[];
  readonly withheld?: Withheld;
  /** All versions, oldest first, when there is more than one. */
  readonly editHistory?: readonly string[];
  readonly editControls?: Readonly<Record<string, unknown>>;
  readonly excludedReplyUserIds?: readonly string[];
  /** The posts above this one, root first, whose settings limit who may reply anywhere below them. */
  readonly replyLimitedBy?: readonly string[];
  readonly taggedUserIds?: readonly string[];
  readonly directMessageDeepLink?: string;
  readonly cardUri?: string;
  /** The text of the wire where escaping the stored text would not give it back (imported posts only). */
  readonly wireText?: string;
}

/** A post as stored. Nothing of it changes after it is written; counts and hiding live elsewhere. */
export interface Post {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  readonly conversationId: PostId;
  /** As written, not escaped. */
  readonly text: string;
  readonly lang: string;
  readonly source?: string;
  readonly inReplyToPostId?: PostId;
  readonly inReplyToUserId?: UserId;
  readonly quotedPostId?: PostId;
  readonly repostedPostId?: PostId;
  readonly replySettings: ReplySettings;
  readonly superFollowersOnly: boolean;
  readonly possiblySensitive: boolean;
  readonly nullcast: boolean;
  readonly placeId?: string;
  readonly detail: PostDetail;
}

/**
 * A post without its detail, but for what lists and the index look at. Its members are all there, so that no whole post
 * is taken for one whose detail is none of these.
 */
export interface PostHead extends Omit<Post, 'detail'> {
  readonly mediaKeys: readonly string[] | undefined;
  readonly editHistory: readonly string[] | undefined;
  readonly coordinates: PostDetail['coordinates'];
}

/** Returns whether a post answers another post, or a user whose post is not known (docs/api/search.md#matching). */
export function isReply(post: Pick<Post, 'inReplyToPostId' | 'inReplyToUserId'>): boolean {
  return post.inReplyToPostId !== undefined || post.inReplyToUserId !== undefined;
}

/** Each member by its name: objects of one shape are quick to make, to copy and to read. */
export function headOf(post: Post): PostHead {
  return {
    id: post.id,
    authorId: post.authorId,
    createdAtMs: post.createdAtMs,
    conversationId: post.conversationId,
    text: post.text,
    lang: post.lang,
    source: post.source,
    inReplyToPostId: post.inReplyToPostId,
    inReplyToUserId: post.inReplyToUserId,
    quotedPostId: post.quotedPostId,
    repostedPostId: post.repostedPostId,
    replySettings: post.replySettings,
    superFollowersOnly: post.superFollowersOnly,
    possiblySensitive: post.possiblySensitive,
    nullcast: post.nullcast,
    placeId: post.placeId,
    mediaKeys: post.detail.mediaKeys,
    editHistory: post.detail.editHistory,
    coordinates: post.detail.coordinates,
  };
}

/** What the writing transactions keep up to date beside each post. */
export interface PostCounts {
  readonly reposts: number;
  readonly replies: number;
  readonly likes: number;
  readonly quotes: number;
  readonly bookmarks: number;
  /** Nothing here counts views: known only for imported posts that came with it. */
  readonly impressions?: number;
}

export const NO_POST_COUNTS: PostCounts = {
  reposts: 0,
  replies: 0,
  likes: 0,
  quotes: 0,
  bookmarks: 0,
};

/** Media kinds, and the prefix of their keys (docs/api/media.md#uploads). */
export const MEDIA_TYPES = ['photo', 'video', 'animated_gif'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** The id of a media key: the digits after the kind, so `3_12` has 12. */
export function mediaIdOfKey(mediaKey: string): MediaId {
  return BigInt(mediaKey.slice(mediaKey.indexOf('_') + 1)) as MediaId;
}

export interface Media {
  readonly id: MediaId;
  /** `<kind>_<id>`. */
  readonly mediaKey: string;
  readonly type: MediaType;
  readonly ownerId?: UserId;
  readonly url?: string;
  readonly previewImageUrl?: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationMs?: number;
  readonly altText?: string;
  readonly viewCount?: number;
  readonly variants?: readonly {
    readonly bit_rate?: number;
    readonly content_type: string;
    readonly url: string;
  }[];
  /** The post or message that uses it; a media id is good for one. */
  readonly attachedTo?: bigint;
  readonly createdAtMs: number;
  /** Unattached media are refused after this; absent: never. */
  readonly expiresAtMs?: number;
}

export interface PollOption {
  readonly label: string;
  readonly votes: number;
}

export interface Poll {
  readonly id: PollId;
  readonly options: readonly PollOption[];
  /** Absent on imported polls that came without. */
  readonly durationMinutes?: number;
  readonly endsAtMs?: number;
  /** What the file said, for imported polls without an end. */
  readonly votingStatus?: 'open' | 'closed';
}

/** A place, its sparse parts in the wire's shape (docs/api/objects.md#place). */
export interface Place {
  readonly id: string;
  readonly fullName: string;
  readonly name?: string;
  readonly country?: string;
  readonly countryCode?: string;
  readonly placeType?: string;
  readonly containedWithin?: readonly string[];
  readonly geo?: Readonly<Record<string, unknown>>;
}

/** The posts that a post refers to, in the order of `referenced_tweets`. */
export function referencedIds(post: Post): PostId[] {
  return [post.repostedPostId, post.quotedPostId, post.inReplyToPostId].filter((id) => id !== undefined);
}

/** The other versions of an edited post. */
export function versionIds(post: Post): PostId[] {
  return (post.detail.editHistory ?? []).map((id) => BigInt(id) as PostId).filter((id) => id !== post.id);
}
