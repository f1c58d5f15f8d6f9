import type { Entities } from './entities.js';
import type { MediaId, PollId, PostId, UserId } from './ids.js';

/** The values allowed in requests; absent means everyone (docs/api/objects.md). */
export const REQUESTED_REPLY_SETTINGS = ['following', 'mentionedUsers', 'subscribers', 'verified'] as const;
export const REPLY_SETTINGS = ['everyone', ...REQUESTED_REPLY_SETTINGS, 'other'] as const;
export type ReplySettings = (typeof REPLY_SETTINGS)[number];

/** Where content is withheld (docs/api/objects.md#post, `withheld`). */
export interface Withheld {
  readonly copyright?: boolean;
  readonly country_codes?: readonly string[];
  readonly scope?: string;
}

/** An article as its post shows it. */
export interface PostArticle {
  readonly id: string;
  readonly title: string;
  /** Without formatting. */
  readonly plainText: string;
  readonly coverMediaKey?: string;
  /** The other media. */
  readonly mediaKeys: readonly string[];
}

/** A text with its entities. */
export interface WholeText {
  /** As written, not escaped. */
  readonly text: string;
  readonly entities?: Entities;
  /** The text as on the wire, where escaping does not reproduce it (imported posts only). */
  readonly wireText?: string;
}

/**
 * The parts of a post without an index, stored in one JSON column. Members that only imported posts have are in wire
 * format, so that they are returned unchanged.
 */
export interface PostDetail {
  readonly entities?: Entities;
  /** The whole of a long post, whose `text` is only its beginning (docs/api/posts.md#long-posts). */
  readonly note?: WholeText;
  readonly mediaKeys?: readonly string[];
  readonly pollIds?: readonly string[];
  /** Precise coordinates, in addition to the place. */
  readonly coordinates?: { readonly type: string; readonly coordinates: readonly number[] };
  readonly contextAnnotations?: readonly unknown[];
  readonly withheld?: Withheld;
  /** All versions, oldest first, if there is more than one. */
  readonly editHistory?: readonly string[];
  /** The first version of a post that was edited here; absent from imported versions, which belong to no other. */
  readonly firstVersion?: { readonly id: string; readonly createdAtMs: number };
  readonly editControls?: Readonly<Record<string, unknown>>;
  readonly excludedReplyUserIds?: readonly string[];
  /** The ancestors of this post, root first, whose reply settings apply to all their descendants. */
  readonly replyLimitedBy?: readonly string[];
  readonly taggedUserIds?: readonly string[];
  readonly directMessageDeepLink?: string;
  readonly cardUri?: string;
  /** The article that the post publishes (docs/api/posts.md#articles). */
  readonly article?: PostArticle;
  /** The community that the post was written in (docs/api/communities.md). */
  readonly communityId?: string;
  /** A post in a community that the followers of the author see at home too. */
  readonly sharedWithFollowers?: true;
  readonly paidPartnership?: true;
  readonly madeWithAi?: true;
  /** What the author says about the media. */
  readonly mediaTitle?: string;
  readonly mediaDescription?: string;
  /** The wire text where escaping the stored text would not reproduce it (imported posts only). */
  readonly wireText?: string;
}

/** A stored post. Only its edit history changes; counts and hiding are stored separately. */
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
 * A post without its detail, except for the members that lists and the index need. All members are required, so that
 * a whole post is not mistaken for a head.
 */
export interface PostHead extends Omit<Post, 'detail'> {
  readonly mediaKeys: readonly string[] | undefined;
  readonly editHistory: readonly string[] | undefined;
  readonly coordinates: PostDetail['coordinates'];
}

/**
 * Reports whether a post replies to another post, or to a user whose post is unknown (docs/api/search.md#matching).
 */
export function isReply(post: Pick<Post, 'inReplyToPostId' | 'inReplyToUserId'>): boolean {
  return post.inReplyToPostId !== undefined || post.inReplyToUserId !== undefined;
}

/**
 * Returns the head of a post. Listing every member keeps one object shape, which is fast to create, copy and read.
 */
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

/** The counts that writing transactions maintain for each post. */
export interface PostCounts {
  readonly reposts: number;
  readonly replies: number;
  readonly likes: number;
  readonly quotes: number;
  readonly bookmarks: number;
  /** Views are not counted: present only for imported posts that have it. */
  readonly impressions?: number;
}

export const NO_POST_COUNTS: PostCounts = {
  reposts: 0,
  replies: 0,
  likes: 0,
  quotes: 0,
  bookmarks: 0,
};

/** The kinds of media. */
export const MEDIA_TYPES = ['photo', 'video', 'animated_gif'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Returns the id in a media key: 12 for `3_12`. */
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
  /** The post or message that uses it; media can be attached once. */
  readonly attachedTo?: bigint;
  readonly createdAtMs: number;
  /** Unattached media expire then; absent: never. */
  readonly expiresAtMs?: number;
}

export interface PollOption {
  readonly label: string;
  readonly votes: number;
}

export interface Poll {
  readonly id: PollId;
  readonly options: readonly PollOption[];
  /** Absent in imported polls without a duration. */
  readonly durationMinutes?: number;
  readonly endsAtMs?: number;
  /** The status from the file, for imported polls without an end. */
  readonly votingStatus?: 'open' | 'closed';
}

/**
 * Returns whether a poll takes votes; undefined if that is unknown. A poll closes in the second that its end names,
 * whatever was stored.
 */
export function pollStatus(poll: Poll, nowMs: number): 'open' | 'closed' | undefined {
  if (poll.endsAtMs === undefined) return poll.votingStatus;
  return Math.floor(poll.endsAtMs / 1000) <= Math.floor(nowMs / 1000) ? 'closed' : 'open';
}

/** A place; its optional parts are in wire format (docs/api/objects.md#place). */
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

/** Returns the keys of the media that a post shows, those of its article included. */
export function shownMediaKeys({
  detail: { mediaKeys = [], article },
}: Pick<Post, 'detail'>): readonly string[] {
  if (!article) return mediaKeys;
  const { coverMediaKey } = article;
  return [...mediaKeys, ...(coverMediaKey === undefined ? [] : [coverMediaKey]), ...article.mediaKeys];
}

/** Returns all that the author wrote: of a long post, more than `text` and its entities. */
export function wholeTextOf({ text, detail }: Pick<Post, 'text' | 'detail'>): WholeText {
  return detail.note ?? { text, entities: detail.entities, wireText: detail.wireText };
}

/** Returns the posts that a post refers to, in the order of `referenced_tweets`. */
export function referencedIds(post: Post): PostId[] {
  return [post.repostedPostId, post.quotedPostId, post.inReplyToPostId].filter((id) => id !== undefined);
}

/** Returns the other versions of an edited post. */
export function versionIds(post: Post): PostId[] {
  return (post.detail.editHistory ?? []).map((id) => BigInt(id) as PostId).filter((id) => id !== post.id);
}

/**
 * Returns the version to which lists, replies, quotes, likes and counts refer: the first of a post that was edited
 * here (docs/api/posts.md#edits).
 */
export function firstVersionId({ id, detail: { firstVersion } }: Post): PostId {
  return firstVersion ? (BigInt(firstVersion.id) as PostId) : id;
}

/** Returns the version that lists show: the newest of a post that was edited here. */
export function newestVersionId({ id, detail: { firstVersion, editHistory } }: Post): PostId {
  const newest = firstVersion && editHistory?.at(-1);
  return newest === undefined ? id : (BigInt(newest) as PostId);
}
