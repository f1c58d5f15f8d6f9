import type { MediaId, UserId } from '../core/ids.js';
import { MAX_ID } from '../core/ids.js';
import { MAX_ALT_TEXT_CHARACTERS } from '../core/limits.js';
import { MEDIA_TYPES, mediaIdOfKey, type Media } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { insertMedia } from '../stores/media.js';
import { requireUnique, type Check, type Load } from './pass.js';
import {
  integerFrom,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  reader,
  required,
  textOf,
  type Reader,
} from './readers.js';
import { username } from './users.js';

const MAX_URL = 2_000;
const MAX_SIDE = 100_000;

const keyText = matching(/^[0-9]{1,2}_[1-9][0-9]{0,18}$/, 'a media key as 3_12');

/** A media key whose digits after `_` are an id (docs/world-files.md#keys). */
export const mediaKey: Reader<string> = reader(keyText.schema, (value, path, faults) => {
  const key = keyText(value, path, faults);
  if (key === undefined || mediaIdOfKey(key) <= MAX_ID) return key;
  faults.add(path, 'must have an id of at most 64 bits after the _');
  return undefined;
});

const media = objectOf({
  media_key: required(mediaKey),
  type: required(oneOf(MEDIA_TYPES)),
  url: optional(textOf(1, MAX_URL)),
  width: optional(integerFrom(1, MAX_SIDE)),
  height: optional(integerFrom(1, MAX_SIDE)),
  alt_text: optional(textOf(0, MAX_ALT_TEXT_CHARACTERS)),
  duration_ms: optional(integerFrom(0, Number.MAX_SAFE_INTEGER)),
  preview_image_url: optional(textOf(1, MAX_URL)),
  owner: optional(username),
});
export const readMedia = listOf(media);
export type WorldMedia = NonNullable<ReturnType<typeof media>>;

export async function checkMedia(entries: readonly WorldMedia[], { known, faults }: Check): Promise<void> {
  requireUnique(entries, 'media_key', (entry) => mediaIdOfKey(entry.media_key), faults);
  await known.requireUsers(
    entries.flatMap(({ owner, path }) =>
      owner === undefined ? [] : [{ name: owner, path: `${path}.owner` }],
    ),
    faults,
  );
  await known.loadMedia(entries.map((entry) => mediaIdOfKey(entry.media_key)));
  for (const entry of entries) {
    const stored = known.storedMedia(mediaIdOfKey(entry.media_key));
    if (stored && (stored.mediaKey !== entry.media_key || stored.type !== entry.type))
      faults.add(`${entry.path}.media_key`, `is ${stored.type} ${stored.mediaKey} in the database`);
  }
}

/** Stores media that the database does not have. Those without an owner become that of who shows them. */
export async function storeMedia(
  entries: readonly WorldMedia[],
  load: Load,
  authors: ReadonlyMap<MediaId, UserId>,
): Promise<void> {
  for (const entry of entries) {
    const id = mediaIdOfKey(entry.media_key);
    const ownerId = entry.owner === undefined ? authors.get(id) : load.known.userId(entry.owner);
    if (await insertMedia(load.tx, asMedia(entry, id, ownerId, load.nowMs))) load.added('media');
  }
}

function asMedia(entry: WorldMedia, id: MediaId, ownerId: UserId | undefined, nowMs: number): Media {
  return {
    id,
    mediaKey: entry.media_key,
    type: entry.type,
    ownerId,
    url: entry.url,
    previewImageUrl: entry.preview_image_url,
    width: entry.width,
    height: entry.height,
    durationMs: entry.duration_ms,
    altText: entry.alt_text,
    createdAtMs: timeOfId(id) ?? nowMs,
  };
}
