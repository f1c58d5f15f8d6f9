import type { UrlEntity } from '../../core/entities.js';
import type { ExactJson } from '../../core/exact-json.js';
import {
  mediaIdOfKey,
  wholeTextOf,
  type Media,
  type Place,
  type Post,
  type PostCounts,
} from '../../core/post.js';
import type { PostId } from '../../core/ids.js';
import { escapeText } from '../../core/post-text/escape.js';
import { presentDateV1 } from './date.js';
import { presentEntitiesV1, presentLinkV1, type EntitiesV1, type UsersById } from './entities.js';
import { presentPlaceV1 } from './place.js';
import { presentMediaV1, type MediaV1 } from './media.js';
import type { UserV1 } from './user.js';

/** A post with what its v1.1 format contains. */
export interface PostV1Parts {
  readonly post: Post;
  readonly author: UserV1;
  readonly counts: PostCounts | undefined;
  readonly media: Pick<ReadonlyMap<Media['id'], Media>, 'get'>;
  readonly place: Place | undefined;
  /** The mentioned users and the one replied to. */
  readonly users: UsersById;
  /** What the viewer did, if that is shown. */
  readonly acts?: { readonly liked: boolean; readonly reposted: boolean };
  /** The address of the post. */
  readonly url: string;
  /** The address of the server, to which the name of the writing app links. */
  readonly publicUrl: string;
  /** The quoted post, and the original of a repost, if they may be shown. */
  readonly quoted?: PostV1Parts;
  readonly reposted?: PostV1Parts;
}

/**
 * How texts are shown: `compatible` cuts texts of more than 140 characters and adds the whole as `extended_tweet`;
 * `extended` has the whole as `full_text`.
 */
export type TextModeV1 = 'compatible' | 'extended';

/** The form of a post that a request chooses. */
export interface PostFormV1 {
  readonly mode: TextModeV1;
  /** Shows only the id of the author. */
  readonly trimsUser?: boolean;
  readonly withoutEntities?: boolean;
}

const MAX_COMPATIBLE_LENGTH = 140;
/** What is left of a cut text: the rest is an ellipsis, a space and a link, which counts 23 characters. */
const CUT_LENGTH = 115;

/** A post in the v1.1 format, for `writeExactJson`. */
export type StatusV1 = Readonly<Record<string, ExactJson>> & { readonly id: PostId };

/** Returns a post in the v1.1 format. */
export function presentPostV1(parts: PostV1Parts, form: PostFormV1): StatusV1 {
  const { post, author, counts, place, quoted, reposted, acts } = parts;
  const { quotedPostId } = post;
  return {
    created_at: presentDateV1(post.createdAtMs),
    id: post.id,
    id_str: String(post.id),
    ...(form.withoutEntities ? withoutEntities(textOf(parts, form.mode)) : textOf(parts, form.mode)),
    source: sourceOf(parts),
    ...replyOf(parts),
    user: form.trimsUser ? { id: author.id, id_str: String(author.id) } : author,
    geo: null,
    coordinates: (post.detail.coordinates as ExactJson) ?? null,
    place: place ? presentPlaceV1(place) : null,
    contributors: null,
    is_quote_status: quotedPostId !== undefined,
    quoted_status_id: quotedPostId,
    quoted_status_id_str: quotedPostId?.toString(),
    quoted_status: quoted && presentPostV1(quoted, form),
    retweeted_status: reposted && presentPostV1(reposted, form),
    quote_count: counts?.quotes ?? 0,
    reply_count: counts?.replies ?? 0,
    retweet_count: counts?.reposts ?? 0,
    favorite_count: counts?.likes ?? 0,
    favorited: acts?.liked ?? false,
    retweeted: acts?.reposted ?? false,
    possibly_sensitive: post.possiblySensitive,
    filter_level: 'low',
    lang: post.lang,
    timestamp_ms: String(post.createdAtMs),
  };
}

function withoutEntities(text: Readonly<Record<string, ExactJson>>) {
  return { ...text, entities: undefined, extended_entities: undefined };
}

/** Returns the text and its entities. */
function textOf(parts: PostV1Parts, mode: TextModeV1): Readonly<Record<string, ExactJson>> {
  const { post, url } = parts;
  const whole = wholeTextOf(post);
  const text = whole.wireText ?? escapeText(whole.text);
  const characters = [...text];
  const { entities, extended } = entitiesOf(parts);
  const range = [0, characters.length];
  const withEntities = { entities, extended_entities: extended };
  if (mode === 'extended') {
    return { full_text: text, truncated: false, display_text_range: range, ...withEntities };
  }
  if (characters.length <= MAX_COMPATIBLE_LENGTH || post.repostedPostId !== undefined) {
    return { text, truncated: false, ...withEntities };
  }
  const kept = `${characters.slice(0, CUT_LENGTH).join('')}… `;
  const start = CUT_LENGTH + 2;
  return {
    text: kept + url,
    truncated: true,
    extended_tweet: { full_text: text, display_text_range: range, ...withEntities },
    entities: cutEntities(entities, { url, start, end: start + url.length }),
  };
}

/** Returns the entities within the kept text, and the link to the whole. */
function cutEntities({ media: _media, ...entities }: PostEntitiesV1, link: UrlEntity) {
  const isKept = ({ indices: [, end = 0] }: { readonly indices: readonly number[] }) => end <= CUT_LENGTH;
  return {
    hashtags: entities.hashtags.filter(isKept),
    symbols: entities.symbols.filter(isKept),
    user_mentions: entities.user_mentions.filter(isKept),
    urls: [...entities.urls.filter(isKept), presentLinkV1(link)],
  };
}

type PostEntitiesV1 = EntitiesV1 & { readonly media?: readonly MediaV1[] };

/** Returns the entities with the first medium, and all media. */
function entitiesOf({ post, media, users }: PostV1Parts) {
  const { mediaKeys = [] } = post.detail;
  const { entities: stored } = wholeTextOf(post);
  const shown = mediaKeys.flatMap((key) => {
    const found = media.get(mediaIdOfKey(key));
    const link = stored?.urls?.find(({ media_key }) => media_key === key);
    return found ? presentMediaV1(found, link) : [];
  });
  const inText = presentEntitiesV1(stored, users);
  if (shown.length === 0) return { entities: inText as PostEntitiesV1, extended: undefined };
  return { entities: { ...inText, media: shown.slice(0, 1) }, extended: { media: shown } };
}

function sourceOf({ post: { source }, publicUrl }: PostV1Parts): string {
  return source === undefined ? '' : `<a href="${publicUrl}" rel="nofollow">${escapeText(source)}</a>`;
}

function replyOf({ post: { inReplyToPostId, inReplyToUserId }, users }: PostV1Parts) {
  const user = inReplyToUserId === undefined ? undefined : users.get(inReplyToUserId);
  return {
    in_reply_to_status_id: inReplyToPostId ?? null,
    in_reply_to_status_id_str: inReplyToPostId?.toString() ?? null,
    in_reply_to_user_id: inReplyToUserId ?? null,
    in_reply_to_user_id_str: inReplyToUserId?.toString() ?? null,
    in_reply_to_screen_name: user?.username ?? null,
  };
}
