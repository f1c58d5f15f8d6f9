import type { MediaId, UserId } from '../core/ids.js';
import { MAX_ADDITIONAL_OWNERS, MAX_ALT_TEXT_CHARACTERS } from '../core/limits.js';
import { MEDIA_TYPES, mediaIdOfKey, type Media } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { insertMedia, insertOwner } from '../stores/media.js';
import { putSubtitles } from '../stores/media-subtitles.js';
import type { WorldFaults } from './faults.js';
import { referencesIn, type Reference } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { MEDIA_PATH, mediaFiles } from './media-files.js';
import { mediaKey } from './media-key.js';
import { listOf, objectOf, valuesOf } from './readers.js';
import { mediaSubtitles } from './subtitles.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const MAX_URL = 2_000;
const MAX_SIDE = 100_000;

const variant = v.object({
  bit_rate: v.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  content_type: v.required(v.text({ min: 1, max: 100 })),
  url: v.required(v.text({ min: 1, max: MAX_URL })),
});

const media = objectOf({
  media_key: v.required(mediaKey),
  type: v.required(v.oneOf(MEDIA_TYPES)),
  url: v.text({ min: 1, max: MAX_URL }),
  width: v.integer({ min: 1, max: MAX_SIDE }),
  height: v.integer({ min: 1, max: MAX_SIDE }),
  alt_text: v.text({ max: MAX_ALT_TEXT_CHARACTERS }),
  duration_ms: v.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  preview_image_url: v.text({ min: 1, max: MAX_URL }),
  variants: valuesOf(variant),
  files: mediaFiles,
  subtitles: mediaSubtitles,
  owner: username,
  additional_owners: valuesOf(username, { max: MAX_ADDITIONAL_OWNERS }),
  expires_at: worldTime,
});
export const readMedia = listOf(media);
export type WorldMedia = v.ValueOf<typeof media>;

export async function checkMedia(entries: readonly WorldMedia[], { known, faults }: Check): Promise<void> {
  requireUnique(entries, 'media_key', (entry) => mediaIdOfKey(entry.media_key), faults);
  await known.requireUsers(referencesIn(entries, 'owner', 'additional_owners'), faults);
  await known.lookups.media.load(entries.map((entry) => mediaIdOfKey(entry.media_key)));
  for (const entry of entries) {
    const stored = known.lookups.media.get(mediaIdOfKey(entry.media_key));
    if (stored && (stored.mediaKey !== entry.media_key || stored.type !== entry.type))
      faults.add(`${entry.path}.media_key`, `is ${stored.type} ${stored.mediaKey} in the database`);
  }
}

/** A use of media by a post or message, and its author. */
interface MediaUse extends Reference<MediaId> {
  readonly by: string;
}

/** Checks that media belong to those who use them and are used once; `first` has the places of earlier uses. */
export function checkMediaUses(
  uses: readonly MediaUse[],
  media: readonly WorldMedia[],
  faults: WorldFaults,
  first = new Map<MediaId, string>(),
): void {
  const declared = new Map(media.map((entry) => [mediaIdOfKey(entry.media_key), entry]));
  for (const { by, name, path } of uses) {
    const other = first.get(name);
    if (other !== undefined) faults.add(path, `is used at ${other} already`);
    first.set(name, path);
    const { owner, additional_owners: others = [] } = declared.get(name) ?? {};
    if (owner === undefined) continue;
    const users = [owner, ...others].map((user) => user.toLowerCase());
    if (!users.includes(by.toLowerCase())) faults.add(path, `belongs to @${owner}`);
  }
}

/** Stores media that are not in the database. Media without an owner get the author of the post that shows them. */
export async function storeMedia(
  entries: readonly WorldMedia[],
  load: Load,
  authors: ReadonlyMap<MediaId, UserId>,
  publicUrl: string,
): Promise<void> {
  for (const entry of entries) {
    const id = mediaIdOfKey(entry.media_key);
    const ownerId = entry.owner === undefined ? authors.get(id) : load.known.userId(entry.owner);
    const media = asMedia(withAddresses(entry, publicUrl), id, ownerId, load.nowMs);
    if (!(await insertMedia(load.tx, media))) continue;
    load.known.lookups.media.set(id, media);
    await storeTies(entry, id, load);
    load.added('media');
  }
}

/** Stores who may use a medium besides its owner, and its subtitles. */
async function storeTies(
  { additional_owners: others = [], subtitles = [] }: WorldMedia,
  id: MediaId,
  { tx, known }: Load,
): Promise<void> {
  for (const userId of new Set(others.map((name) => known.userId(name)))) await insertOwner(tx, id, userId);
  for (const { language_code: languageCode, display_name: displayName, file } of subtitles)
    await putSubtitles(tx, id, { languageCode, displayName, blob: file });
}

/** Returns the entry with whole addresses of the files of this server, which world files have without its URL. */
function withAddresses(entry: WorldMedia, publicUrl: string): WorldMedia {
  const whole = <T extends string | undefined>(url: T) =>
    url?.startsWith(MEDIA_PATH) === true ? publicUrl + url : url;
  return {
    ...entry,
    url: whole(entry.url),
    preview_image_url: whole(entry.preview_image_url),
    variants: entry.variants?.map((each) => ({ ...each, url: whole(each.url) ?? each.url })),
  };
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
    variants: entry.variants,
    createdAtMs: timeOfId(id) ?? nowMs,
    expiresAtMs: entry.expires_at?.at(nowMs),
  };
}
