import { isDeepStrictEqual } from 'node:util';
import type { Media, Poll, Post, PostCounts } from '../core/post.js';
import type { User, UserCounts } from '../core/user.js';
import type { UserId } from '../core/ids.js';
import { withoutUndefined } from './wire-json.js';

/**
 * One sighting of an object: its state when it was fetched. Files often contain the same object several times, with
 * different counts, texts and profiles.
 */
export interface Sighting {
  /** The time of fetching; 0 when unknown. */
  readonly observedAtMs: number;
  /** False for a sighting without most fields; absent fields then carry no information. */
  readonly isFull: boolean;
}

export interface PostSighting extends Sighting {
  readonly post: Post;
  readonly counts: PostCounts | undefined;
  /** The users that the post mentions or replies to, except its author; empty for reposts. */
  readonly mentionedIds: readonly UserId[];
}

export interface UserSighting extends Sighting {
  readonly user: User;
  readonly counts: UserCounts | undefined;
}

export interface MediaSighting extends Sighting {
  readonly media: Media;
}

export interface PollSighting extends Sighting {
  readonly poll: Poll;
}

/** Reports whether the second of two sightings with the same time is more complete. */
type IsMoreComplete<S> = (first: S, second: S) => boolean;

/**
 * Reports whether the second sighting wins: the later one; without times, the last one read; at equal times, the more
 * complete one, so that reading a file again changes nothing.
 */
function isLater<S extends Sighting>(first: S, second: S, isMoreComplete: IsMoreComplete<S>): boolean {
  if (first.observedAtMs !== second.observedAtMs) return second.observedAtMs > first.observedAtMs;
  return second.observedAtMs === 0 || isMoreComplete(first, second);
}

/** Combines two sightings of a post; the first was read or stored before the second. */
export function combinePosts(first: PostSighting, second: PostSighting): PostSighting {
  const [older, newer] = isLater(first, second, postIsMoreComplete) ? [first, second] : [second, first];
  const post = newer.isFull ? newer.post : overlayPost(older.post, newer.post);
  return {
    observedAtMs: newer.observedAtMs,
    isFull: newer.isFull || older.isFull,
    post,
    counts: newer.counts ?? older.counts,
    mentionedIds: newer.isFull
      ? newer.mentionedIds
      : [...new Set([...older.mentionedIds, ...newer.mentionedIds])],
  };
}

/** Combines two sightings of a user. */
export function combineUsers(first: UserSighting, second: UserSighting): UserSighting {
  const [older, newer] = isLater(first, second, userIsMoreComplete) ? [first, second] : [second, first];
  return {
    observedAtMs: newer.observedAtMs,
    isFull: newer.isFull || older.isFull,
    user: newer.isFull ? newer.user : overlayUser(older.user, newer.user),
    counts: newer.counts ?? older.counts,
  };
}

/** Combines two sightings of media. Fields are never removed, because inlined media are incomplete. */
export function combineMedia(first: MediaSighting, second: MediaSighting): MediaSighting {
  const [older, newer] = isLater(first, second, mediaIsMoreComplete) ? [first, second] : [second, first];
  return { ...newer, media: { ...older.media, ...withoutUndefined(newer.media) } };
}

/** Combines two sightings of a poll. */
export function combinePolls(first: PollSighting, second: PollSighting): PollSighting {
  const [older, newer] = isLater(first, second, pollIsMoreComplete) ? [first, second] : [second, first];
  return { ...newer, poll: { ...older.poll, ...withoutUndefined(newer.poll) } };
}

/** Reports whether two sightings are equal, so that nothing needs to be written. */
export function isSame(first: unknown, second: unknown): boolean {
  return isDeepStrictEqual(withoutUndefined(first as object), withoutUndefined(second as object));
}

const lengthOf = (value: unknown): number => JSON.stringify(value, bigintAsText).length;
const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

const postIsMoreComplete: IsMoreComplete<PostSighting> = (first, second) =>
  first.isFull === second.isFull ? lengthOf(second.post) > lengthOf(first.post) : second.isFull;
const userIsMoreComplete: IsMoreComplete<UserSighting> = (first, second) =>
  first.isFull === second.isFull ? lengthOf(second.user) > lengthOf(first.user) : second.isFull;
const mediaIsMoreComplete: IsMoreComplete<MediaSighting> = (first, second) =>
  lengthOf(second.media) > lengthOf(first.media);
const pollIsMoreComplete: IsMoreComplete<PollSighting> = (first, second) =>
  lengthOf(second.poll) > lengthOf(first.poll);

/** Overlays a sparse post on an older one: fields with default values are taken from the older post. */
function overlayPost(older: Post, newer: Post): Post {
  return {
    ...older,
    ...withoutUndefined(newer),
    conversationId: newer.conversationId === newer.id ? older.conversationId : newer.conversationId,
    lang: newer.lang === 'und' ? older.lang : newer.lang,
    replySettings: newer.replySettings === 'everyone' ? older.replySettings : newer.replySettings,
    superFollowersOnly: newer.superFollowersOnly || older.superFollowersOnly,
    possiblySensitive: newer.possiblySensitive || older.possiblySensitive,
    detail: withoutUndefined({ ...older.detail, wireText: undefined, ...newer.detail }),
  };
}

function overlayUser(older: User, newer: User): User {
  return {
    ...older,
    ...withoutUndefined(newer),
    description: newer.description || older.description,
    protected: newer.protected || older.protected,
    verified: newer.verified || older.verified,
  };
}
