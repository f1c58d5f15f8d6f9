import { isDeepStrictEqual } from 'node:util';
import type { Media, Poll, Post, PostCounts } from '../core/post.js';
import type { User, UserCounts } from '../core/user.js';
import type { UserId } from '../core/ids.js';
import type { ImportedKind } from '../stores/import-rows.js';
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

type SightingOf<K extends ImportedKind> = Sighting & Readonly<Record<K, object>>;

/**
 * Returns the losing sighting and the winning one: the later one wins; without times, the last one read; at equal
 * times, the more complete one, so that reading a file again changes nothing.
 */
function inOrder<K extends ImportedKind, S extends SightingOf<K>>(
  kind: K,
  first: S,
  second: S,
): readonly [S, S] {
  const isSecondLater =
    first.observedAtMs === second.observedAtMs
      ? second.observedAtMs === 0 || isMoreComplete(kind, first, second)
      : second.observedAtMs > first.observedAtMs;
  return isSecondLater ? [first, second] : [second, first];
}

/** Reports whether the second of two sightings is more complete. */
function isMoreComplete<K extends ImportedKind>(
  kind: K,
  first: SightingOf<K>,
  second: SightingOf<K>,
): boolean {
  if (first.isFull !== second.isFull) return second.isFull;
  return lengthOf(second[kind]) > lengthOf(first[kind]);
}

/** Combines two sightings of a post; the first was read or stored before the second. */
export function combinePosts(first: PostSighting, second: PostSighting): PostSighting {
  const [older, newer] = inOrder('post', first, second);
  const post = newer.isFull ? withUnfetched(newer.post, older.post) : overlayPost(older.post, newer.post);
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
  const [older, newer] = inOrder('user', first, second);
  return {
    observedAtMs: newer.observedAtMs,
    isFull: newer.isFull || older.isFull,
    user: newer.isFull ? newer.user : overlayUser(older.user, newer.user),
    counts: newer.counts ?? older.counts,
  };
}

/** Returns the function that combines two sightings. Fields are never removed, because inlined media are incomplete. */
function overlaying<S extends SightingOf<K>, K extends 'media' | 'poll'>(kind: K) {
  return (first: S, second: S): S => {
    const [older, newer] = inOrder(kind, first, second);
    return { ...newer, [kind]: { ...older[kind], ...withoutUndefined(newer[kind]) } };
  };
}

export const combineMedia = overlaying<MediaSighting, 'media'>('media');
export const combinePolls = overlaying<PollSighting, 'poll'>('poll');

/** Reports whether two sightings are equal, so that nothing needs to be written. */
export function isSame(first: unknown, second: unknown): boolean {
  return isDeepStrictEqual(withoutUndefined(first as object), withoutUndefined(second as object));
}

const lengthOf = (value: unknown): number => JSON.stringify(value, bigintAsText).length;
const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** Keeps the whole of a long post, and its versions, if only the older sighting was fetched with them. */
function withUnfetched(newer: Post, older: Post): Post {
  const { note, editHistory } = older.detail;
  const isLost = note !== undefined && newer.detail.note === undefined && newer.text === older.text;
  const kept = { ...(isLost && { note }), ...(editHistory && !newer.detail.editHistory && { editHistory }) };
  return { ...newer, detail: { ...newer.detail, ...kept } };
}

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
