import type { Entities } from '../core/entities.js';
import { parseId, type PostId, type UserId } from '../core/ids.js';
import {
  REPLY_SETTINGS,
  type Post,
  type PostCounts,
  type PostDetail,
  type ReplySettings,
  type WholeText,
} from '../core/post.js';
import { escapeText, unescapeText } from '../core/post-text/escape.js';
import { timeOfId } from '../core/snowflake.js';
import type { PostSighting } from './sighting.js';
import {
  asArray,
  asCount,
  asFilledArray,
  asIdText,
  asObject,
  asObjects,
  asText,
  asTimeMs,
  RefusedObject,
  requireShallow,
  withoutUndefined,
  type WireObject,
} from './wire-json.js';

/** Data that applies to all objects of a line. */
export interface LineContext {
  readonly observedAtMs: number;
  /** Returns the id of a user of the same line by username, case-insensitively: mentions before 2021 have no ids. */
  userIdOf(username: string): UserId | undefined;
}

/**
 * Maps a post (docs/api/objects.md#post) to its stored form. Absent fields get the defaults of a post created here;
 * an absent time is taken from the id. Throws RefusedObject for an incomplete post.
 */
export function mapPost(wire: WireObject, context: LineContext): PostSighting {
  const id = requireId<PostId>(wire.id, 'id');
  const authorId = requireId<UserId>(wire.author_id ?? asObject(wire.author)?.id, 'author_id');
  const wireText = wire.text;
  if (typeof wireText !== 'string') throw new RefusedObject('a post without text');
  const text = asText(unescapeText(wireText)) ?? '';
  const entities = mapEntities(wire.entities);
  const note = mapNote(wire.note_tweet);
  const post: Post = {
    id,
    authorId,
    createdAtMs: createdAtMs(wire, id),
    conversationId: idOf<PostId>(wire.conversation_id) ?? id,
    text,
    lang: asText(wire.lang) || 'und',
    source: asText(wire.source),
    inReplyToUserId: idOf<UserId>(wire.in_reply_to_user_id),
    ...references(wire.referenced_tweets),
    replySettings: replySettings(wire.reply_settings),
    superFollowersOnly: asObject(wire.scopes)?.followers === true,
    possiblySensitive: wire.possibly_sensitive === true,
    nullcast: false,
    placeId: placeId(wire.geo),
    detail: {
      ...detail(wire, entities, escapeText(text) === wireText ? undefined : wireText),
      ...(note && { note }),
    },
  };
  return {
    observedAtMs: context.observedAtMs,
    isFull: wire.conversation_id !== undefined,
    post,
    counts: postCounts(wire.public_metrics),
    mentionedIds: mentionedIds(post, [entities, note?.entities], context),
  };
}

/** Returns entities unchanged, except for empty members and the users that flattening adds to mentions. */
export function mapEntities(value: unknown): Entities | undefined {
  const entities = asObject(value);
  if (!entities) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [kind, items] of Object.entries(entities)) {
    const named = NAMING[kind];
    const objects = asObjects(items).filter((item) => !named || typeof item[named] === 'string');
    if (objects.length > 0) kept[kind] = kind === 'mentions' ? objects.map(withoutUser) : objects;
  }
  return asObject(kept);
}

/** Returns the whole of a long post. */
function mapNote(value: unknown): WholeText | undefined {
  const note = asObject(value);
  const wireText = note?.text;
  if (typeof wireText !== 'string') return undefined;
  const text = asText(unescapeText(wireText)) ?? '';
  const members = {
    text,
    entities: mapEntities(note?.entities),
    wireText: escapeText(text) === wireText ? undefined : wireText,
  };
  requireShallow(members);
  return withoutUndefined(members);
}

/** The required member of each kind of entity. */
const NAMING: Readonly<Record<string, string>> = {
  hashtags: 'tag',
  cashtags: 'tag',
  mentions: 'username',
  urls: 'url',
};

/** Returns an id, or undefined for anything else. */
export function idOf<T extends bigint>(value: unknown): T | undefined {
  const text = asIdText(value);
  return text === undefined ? undefined : parseId<T>(text);
}

/** Returns an id; throws RefusedObject for anything else. */
export function requireId<T extends bigint>(value: unknown, field: string): T {
  const id = idOf<T>(value);
  if (id === undefined)
    throw new RefusedObject(value === undefined ? `no ${field}` : `${field} is not an id`);
  return id;
}

function withoutUser(mention: WireObject): WireObject {
  if (mention.name === undefined) return mention;
  const { start, end, username, id } = mention;
  return id === undefined ? { start, end, username } : { start, end, username, id };
}

function createdAtMs(wire: WireObject, id: PostId): number {
  const timeMs = asTimeMs(wire.created_at) ?? timeOfId(id);
  if (timeMs === undefined) throw new RefusedObject('no created_at, and the id does not encode a time');
  return timeMs;
}

type References = Pick<Post, 'inReplyToPostId' | 'quotedPostId' | 'repostedPostId'>;

const REFERENCE_FIELDS: ReadonlyMap<unknown, keyof References> = new Map([
  ['replied_to', 'inReplyToPostId'],
  ['quoted', 'quotedPostId'],
  ['retweeted', 'repostedPostId'],
]);

function references(value: unknown): References {
  const found: { -readonly [Field in keyof References]: References[Field] } = {};
  for (const reference of asObjects(value)) {
    const field = REFERENCE_FIELDS.get(reference.type);
    if (field) found[field] = idOf<PostId>(reference.id);
  }
  return found;
}

function replySettings(value: unknown): ReplySettings {
  if (value === undefined) return 'everyone';
  if (value === 'mentioned_users') return 'mentionedUsers';
  return REPLY_SETTINGS.find((known) => known === value) ?? 'other';
}

function placeId(geo: unknown): string | undefined {
  const place = asObject(geo);
  return place && (asText(place.place_id) ?? (place.full_name === undefined ? undefined : asText(place.id)));
}

function detail(wire: WireObject, entities: Entities | undefined, wireText: string | undefined): PostDetail {
  const attachments = asObject(wire.attachments);
  const editHistory = ids(wire.edit_history_tweet_ids);
  const members = {
    entities,
    mediaKeys: mediaKeys(attachments),
    pollIds: asFilledArray(ids(attachments?.poll_ids)),
    coordinates: asObject(asObject(wire.geo)?.coordinates),
    contextAnnotations: asFilledArray(wire.context_annotations),
    withheld: asObject(wire.withheld),
    editHistory: editHistory.length > 1 ? editHistory : undefined,
    editControls: asObject(wire.edit_controls),
    cardUri: asText(wire.card_uri),
    wireText,
  };
  requireShallow(members);
  // The shapes are the file's own and are returned unchanged.
  return withoutUndefined(members) as PostDetail;
}

/** Returns the ids among the items, as text. */
function ids(value: unknown): string[] {
  return asArray(value).flatMap((item) => idOf(item)?.toString() ?? []);
}

function mediaKeys(attachments: WireObject | undefined): readonly unknown[] | undefined {
  if (!attachments) return undefined;
  const inlined = asObjects(attachments.media).map((media) => media.media_key);
  return (
    asFilledArray(asArray(attachments.media_keys).filter(isMediaKey)) ??
    asFilledArray(inlined.filter(isMediaKey))
  );
}

/** The digits after the type are an id (docs/world-files.md#keys). */
export function isMediaKey(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[0-9]+_[0-9]+$/.test(value) &&
    idOf(value.slice(value.indexOf('_') + 1)) !== undefined
  );
}

function postCounts(value: unknown): PostCounts | undefined {
  const metrics = asObject(value);
  return (
    metrics && {
      reposts: asCount(metrics.retweet_count) ?? 0,
      replies: asCount(metrics.reply_count) ?? 0,
      likes: asCount(metrics.like_count) ?? 0,
      quotes: asCount(metrics.quote_count) ?? 0,
      bookmarks: asCount(metrics.bookmark_count) ?? 0,
      impressions: asCount(metrics.impression_count),
    }
  );
}

/** Returns the users whose mention timelines contain the post, including for replies (docs/api/timelines.md). */
function mentionedIds(
  post: Post,
  entities: readonly (Entities | undefined)[],
  context: LineContext,
): UserId[] {
  if (post.repostedPostId !== undefined) return [];
  const ids = new Set<UserId>();
  if (post.inReplyToUserId !== undefined) ids.add(post.inReplyToUserId);
  for (const mention of entities.flatMap((each) => each?.mentions ?? [])) {
    const id = idOf<UserId>(mention.id) ?? context.userIdOf(asText(mention.username) ?? '');
    if (id !== undefined) ids.add(id);
  }
  ids.delete(post.authorId);
  return [...ids];
}
