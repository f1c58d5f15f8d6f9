import { isDeepStrictEqual } from 'node:util';
import type { Media, Poll, Post, PostCounts } from '../core/post.js';
import type { User, UserCounts } from '../core/user.js';
import type { UserId } from '../core/ids.js';
import { withoutUndefined } from './wire-json.js';

/**
 * One sighting of an object in a file: what it was like when somebody fetched it. The same object is often there
 * several times, with counts, texts and profiles of other moments.
 */
export interface Sighting {
  /** When it was fetched; 0 when the line does not say. */
  readonly observedAtMs: number;
  /** False when it was fetched without most of its fields: what is missing then says nothing. */
  readonly isFull: boolean;
}

export interface PostSighting extends Sighting {
  readonly post: Post;
  readonly counts: PostCounts | undefined;
  /** Whom the post mentions or answers: its author and, for reposts, everybody left out. */
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

/** True when of two sightings with the same time the second says more. */
type SaysMore<S> = (first: S, second: S) => boolean;

/**
 * The later of two sightings: by time; without times the one read last; at the same time the one that says more, so
 * that reading a file again changes nothing.
 */
function isLater<S extends Sighting>(first: S, second: S, saysMore: SaysMore<S>): boolean {
  if (first.observedAtMs !== second.observedAtMs) return second.observedAtMs > first.observedAtMs;
  return second.observedAtMs === 0 || saysMore(first, second);
}

/** What is known of a post after two sightings, the first of them read or stored before the second. */
export function combinePosts(first: PostSighting, second: PostSighting): PostSighting {
  const [older, newer] = isLater(first, second, postSaysMore) ? [first, second] : [second, first];
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

/** What is known of a user after two sightings. */
export function combineUsers(first: UserSighting, second: UserSighting): UserSighting {
  const [older, newer] = isLater(first, second, userSaysMore) ? [first, second] : [second, first];
  return {
    observedAtMs: newer.observedAtMs,
    isFull: newer.isFull || older.isFull,
    user: newer.isFull ? newer.user : overlayUser(older.user, newer.user),
    counts: newer.counts ?? older.counts,
  };
}

/** What is known of media after two sightings. Inlined media lack members that others have, so nothing is taken away. */
export function combineMedia(first: MediaSighting, second: MediaSighting): MediaSighting {
  const [older, newer] = isLater(first, second, mediaSaysMore) ? [first, second] : [second, first];
  return { ...newer, media: { ...older.media, ...withoutUndefined(newer.media) } };
}

/** What is known of a poll after two sightings. */
export function combinePolls(first: PollSighting, second: PollSighting): PollSighting {
  const [older, newer] = isLater(first, second, pollSaysMore) ? [first, second] : [second, first];
  return { ...newer, poll: { ...older.poll, ...withoutUndefined(newer.poll) } };
}

/** True when both say the same: nothing has to be written. */
export function isSame(first: unknown, second: unknown): boolean {
  return isDeepStrictEqual(withoutUndefined(first as object), withoutUndefined(second as object));
}

const lengthOf = (value: unknown): number => JSON.stringify(value, bigintAsText).length;
const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

const postSaysMore: SaysMore<PostSighting> = (first, second) =>
  first.isFull === second.isFull ? lengthOf(second.post) > lengthOf(first.post) : second.isFull;
const userSaysMore: SaysMore<UserSighting> = (first, second) =>
  first.isFull === second.isFull ? lengthOf(second.user) > lengthOf(first.user) : second.isFull;
const mediaSaysMore: SaysMore<MediaSighting> = (first, second) =>
  lengthOf(second.media) > lengthOf(first.media);
const pollSaysMore: SaysMore<PollSighting> = (first, second) => lengthOf(second.poll) > lengthOf(first.poll);

/** The newer post with what it was fetched without taken from the older one: all that has its default value. */
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
