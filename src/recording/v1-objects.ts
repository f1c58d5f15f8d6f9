import {
  asArray,
  asObject,
  asObjects,
  asText,
  asWhole,
  withoutUndefined,
  type WireObject,
} from '../archive/wire-json.js';
import type { SeenAnswer } from './seen-answer.js';
import type { AnswerObjects } from './object-kinds.js';

/** Translates objects of v1.1 (docs/api/v1.md#objects) into those of v2. */

/** The first part of media keys, by type. */
const KEY_PREFIXES: Readonly<Record<string, number>> = { photo: 3, video: 7, animated_gif: 16 };

/** Returns the users and posts of an answer of v1.1: it is a list of them, one of them, or has a list. */
export function itemsOfV1(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  const { statuses, users, id_str } = asObject(json) ?? {};
  return id_str === undefined ? [...asArray(statuses), ...asArray(users)] : [json];
}

/** Returns the objects of an answer of v1.1. An answer to a write shows users only: a program writes posts again. */
export function objectsOfV1({ method, path, json }: SeenAnswer): AnswerObjects {
  const objects = new ObjectsOfV1();
  const isWrite = method !== 'GET' && !path.endsWith('/lookup.json');
  objects.addItems(asObjects(itemsOfV1(json)), { withPosts: !isWrite });
  for (const place of asObjects(asObject(asObject(json)?.result)?.places))
    objects.places.push(placeOf(place));
  return objects;
}

class ObjectsOfV1 {
  readonly users: WireObject[] = [];
  readonly posts: WireObject[] = [];
  readonly media: WireObject[] = [];
  readonly places: WireObject[] = [];

  addItems(items: readonly WireObject[], { withPosts }: { readonly withPosts: boolean }): void {
    // No recursion: foreign JSON may be nested deeply.
    const open = [...items];
    for (let item = open.pop(); item; item = open.pop()) {
      if (item.screen_name !== undefined) this.#addUser(item, open);
      else if (item.user !== undefined) this.#addPost(item, open, withPosts);
    }
  }

  #addUser(user: WireObject, open: WireObject[]): void {
    this.users.push(userOf(user));
    const status = asObject(user.status);
    if (status && status.user === undefined) open.push({ ...status, user: { id_str: user.id_str } });
  }

  #addPost(status: WireObject, open: WireObject[], withPosts: boolean): void {
    open.push(...asObjects([status.user, status.retweeted_status, status.quoted_status]));
    if (!withPosts) return;
    this.posts.push(postOf(status));
    this.media.push(...mediaIn(status).map(mediumOf));
    const place = asObject(status.place);
    if (place) this.places.push(placeOf(place));
  }
}

function userOf(user: WireObject): WireObject {
  const { id_str: id, screen_name: username, name, description, location, url, verified } = user;
  return withoutUndefined({
    id,
    username,
    name,
    description,
    location,
    url: url ?? undefined,
    verified,
    protected: user.protected,
    created_at: timeOf(user.created_at),
    profile_image_url: user.default_profile_image === true ? undefined : user.profile_image_url_https,
    profile_banner_url: user.profile_banner_url,
  });
}

/** The member of a post whose text an answer has cut; a whole text is `text`. */
export const CUT_TEXT = 'cut_text';

function postOf(status: WireObject): WireObject {
  const whole = wholeOf(status);
  const text = whole.full_text ?? whole.text;
  const isCut = status.truncated === true && whole === status;
  return withoutUndefined({
    id: status.id_str,
    // A cut text has only some of the links and media.
    ...(isCut ? { [CUT_TEXT]: text } : { text, ...attachedTo(status) }),
    author_id: asObject(status.user)?.id_str,
    created_at: timeOf(status.created_at),
    source: asText(status.source)?.replaceAll(/<[^<>]*>/g, ''),
    lang: status.lang,
    possibly_sensitive: status.possibly_sensitive,
    referenced_tweets: referencesOf(status),
    geo: asObject(status.place) && { place_id: asObject(status.place)?.id },
  });
}

/** Returns the media and links of a post; nothing if the request left them out. */
function attachedTo(status: WireObject): WireObject {
  if (wholeOf(status).entities === undefined) return {};
  return { attachments: { media_keys: mediaIn(status).map(keyOf) }, entities: { urls: linksOf(status) } };
}

/** Returns the object that has the whole text and its entities. */
function wholeOf(status: WireObject): WireObject {
  return asObject(status.extended_tweet) ?? status;
}

function referencesOf(status: WireObject): WireObject[] {
  const ids = {
    replied_to: status.in_reply_to_status_id_str,
    quoted: status.quoted_status_id_str,
    retweeted: asObject(status.retweeted_status)?.id_str,
  };
  return Object.entries(ids).flatMap(([type, id]) => (typeof id === 'string' ? [{ type, id }] : []));
}

function mediaIn(status: WireObject): WireObject[] {
  const whole = wholeOf(status);
  const entities = asObject(whole.extended_entities) ?? asObject(whole.entities);
  return asObjects(entities?.media).filter(({ id_str }) => typeof id_str === 'string');
}

const keyOf = ({ type, id_str }: WireObject): string =>
  `${KEY_PREFIXES[String(type)] ?? 3}_${String(id_str)}`;

/** Returns the links of a text, those of media with their keys. */
function linksOf(status: WireObject): WireObject[] {
  const links = asObjects(asObject(wholeOf(status).entities)?.urls);
  const ofMedia = mediaIn(status).map((media) => ({
    url: media.url,
    expanded_url: media.expanded_url,
    media_key: keyOf(media),
  }));
  return [...links.map(({ url, expanded_url }) => ({ url, expanded_url })), ...ofMedia];
}

function mediumOf(media: WireObject): WireObject {
  const picture = media.media_url_https ?? media.media_url;
  const size = asObject(media.original_info) ?? largestOf(asObject(media.sizes));
  const isPhoto = media.type === 'photo';
  return withoutUndefined({
    media_key: keyOf(media),
    type: media.type,
    url: isPhoto ? picture : undefined,
    preview_image_url: isPhoto ? undefined : picture,
    width: size?.width ?? size?.w,
    height: size?.height ?? size?.h,
    alt_text: media.ext_alt_text ?? undefined,
    duration_ms: asObject(media.video_info)?.duration_millis,
    variants: asObjects(asObject(media.video_info)?.variants).map(({ bitrate, content_type, url }) => ({
      bit_rate: bitrate,
      content_type,
      url,
    })),
  });
}

function largestOf(sizes: WireObject | undefined): WireObject | undefined {
  const widthOf = ({ w }: WireObject): number => asWhole(w) ?? 0;
  return asObjects(Object.values(sizes ?? {})).toSorted((one, other) => widthOf(other) - widthOf(one))[0];
}

function placeOf({ bounding_box, contained_within: _around, ...place }: WireObject): WireObject {
  const [[west, south] = [], , [east, north] = []] = cornersOf(bounding_box);
  const bbox = [west, south, east, north];
  return { ...place, geo: bbox.includes(undefined) ? undefined : { bbox } };
}

/** Returns the corners of a box, which begin in the south-west and go round. */
function cornersOf(box: unknown): (readonly unknown[])[] {
  return asArray(asArray(asObject(box)?.coordinates)[0]).map(asArray);
}

/** Returns a time of v1.1, `Wed Oct 10 20:19:24 +0000 2018`, as one of v2. */
function timeOf(value: unknown): string | undefined {
  const timeMs = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}

/**
 * Returns JSON whose large integers are strings, since numbers lose their last digits; only for lists of ids, which
 * have no texts.
 */
export function withExactIds(path: string, json: string): string {
  return /\/ids\.json$/.test(path)
    ? json.replaceAll(/(?<=[[,]\s{0,9})\d{16,19}(?=\s{0,9}[,\]])/g, '"$&"')
    : json;
}
