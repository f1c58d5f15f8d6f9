import type { MediaId } from './ids.js';
import { MAX_GIF_BYTES, MAX_PHOTO_BYTES, MAX_SUBTITLE_BYTES, MAX_VIDEO_BYTES } from './limits.js';
import type { MediaType } from './post.js';
import { pictureKindOf } from './profile-picture.js';

/** The purpose of an upload (docs/api/media.md#uploads). */
export const MEDIA_CATEGORIES = [
  'tweet_image',
  'tweet_gif',
  'tweet_video',
  'amplify_video',
  'dm_image',
  'dm_gif',
  'dm_video',
  'subtitles',
] as const;
export type MediaCategory = (typeof MEDIA_CATEGORIES)[number];

/** The categories that posts and messages can show. */
export type ShownCategory = Exclude<MediaCategory, 'subtitles'>;

/** How long an upload can be used (docs/api/media.md#uploads). */
export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;

interface CategoryRules {
  readonly type: MediaType;
  /** The number before the `_` in its media keys. */
  readonly keyPrefix: number;
  readonly maxBytes: number;
  /** For messages only. */
  readonly isForMessages: boolean;
}

/** Prefixes 3, 5, 7, 13 and 16 are documented (docs/api/media.md#uploads); 17 and 18 are Pipit's. */
const RULES: Readonly<Record<ShownCategory, CategoryRules>> = {
  tweet_image: { type: 'photo', keyPrefix: 3, maxBytes: MAX_PHOTO_BYTES, isForMessages: false },
  tweet_gif: { type: 'animated_gif', keyPrefix: 16, maxBytes: MAX_GIF_BYTES, isForMessages: false },
  tweet_video: { type: 'video', keyPrefix: 7, maxBytes: MAX_VIDEO_BYTES, isForMessages: false },
  amplify_video: { type: 'video', keyPrefix: 13, maxBytes: MAX_VIDEO_BYTES, isForMessages: false },
  dm_image: { type: 'photo', keyPrefix: 5, maxBytes: MAX_PHOTO_BYTES, isForMessages: true },
  dm_gif: { type: 'animated_gif', keyPrefix: 17, maxBytes: MAX_GIF_BYTES, isForMessages: true },
  dm_video: { type: 'video', keyPrefix: 18, maxBytes: MAX_VIDEO_BYTES, isForMessages: true },
};

/** Parses the name of a category: `tweet_gif` or, as some clients spell it, `TweetGif`. */
export function parseMediaCategory(text: string): MediaCategory | undefined {
  const name = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  return MEDIA_CATEGORIES.find((category) => category === name);
}

export function mediaKeyOf(category: ShownCategory, id: MediaId): string {
  return `${RULES[category].keyPrefix}_${id}`;
}

export function mediaTypeOf(category: ShownCategory): MediaType {
  return RULES[category].type;
}

/** Returns the maximum upload size of a category. */
export function maxBytesOf(category: MediaCategory): number {
  return category === 'subtitles' ? MAX_SUBTITLE_BYTES : RULES[category].maxBytes;
}

/** Reports whether posts and articles may show media with this key: not those of messages and profiles. */
export function isPostMedia(mediaKey: string): boolean {
  const prefix = Number(mediaKey.slice(0, mediaKey.indexOf('_')));
  const isForMessages = Object.values(RULES).some(
    (rules) => rules.isForMessages && rules.keyPrefix === prefix,
  );
  return !isForMessages && pictureKindOf(mediaKey) === undefined;
}

/**
 * Returns the category of an upload by its content, or undefined if the content is not allowed for the request. The
 * content decides between a photo and an animated image; videos, and animated images larger than a photo may be, must
 * be requested (docs/api/errors.md#problems).
 */
export function categoryOfContent(
  requested: ShownCategory | undefined,
  content: MediaType,
  sizeBytes: number,
): ShownCategory | undefined {
  if (requested !== undefined && RULES[requested].type === content) return requested;
  const isSmall = sizeBytes <= MAX_PHOTO_BYTES;
  if (content !== 'animated_gif' || !isSmall) {
    return requested === undefined && content === 'photo' ? 'tweet_image' : undefined;
  }
  if (requested === undefined || requested === 'tweet_image') return 'tweet_gif';
  return requested === 'dm_image' ? 'dm_gif' : undefined;
}

/** The language of subtitles, a tag such as `pt-BR`, and the length of its name. */
export const SUBTITLE_LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
export const MAX_SUBTITLE_LANGUAGE = 20;
export const MAX_SUBTITLE_NAME = 100;
