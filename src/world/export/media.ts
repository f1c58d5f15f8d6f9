import { conflict } from '../../core/errors.js';
import type { Media, Place } from '../../core/post.js';
import { namesBehind } from '../../core/profile-picture.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { listSubtitles, type Subtitles } from '../../stores/media-subtitles.js';
import { pagePlaces } from '../../stores/places.js';
import { listAllMediaIds, listAllMediaOwners } from '../../stores/whole-network.js';
import { readBlob, type WholeBlobs } from '../../stores/blobs/whole-blobs.js';
import { MEDIA_PATH } from '../media-files.js';
import { entryOf, someOf, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';
import { readAll } from './read-all.js';

/** Where the files of media are. */
export interface MediaDeps {
  readonly publicUrl: string;
  readonly blobs: WholeBlobs;
}

/** As base64; a world file of this size can be sent to a sandbox. */
const MAX_FILE_BYTES = 48 * 1024 ** 2;
const TOO_MUCH = 'The files of all media have more than 36 MB, and an export is one document.';

async function readFiles(blobs: WholeBlobs, names: readonly string[]) {
  const files: { readonly name: string; readonly data: string }[] = [];
  for (const name of names) {
    const bytes = await readBlob(blobs, name);
    if (bytes) files.push({ name, data: bytes.toString('base64') });
  }
  return files;
}

/** Returns the media that posts and messages use, and those that may still be used. */
export async function exportMedia(
  db: Queryable,
  people: Names,
  { publicUrl, blobs }: MediaDeps,
  nowMs: number,
): Promise<Entry[]> {
  const ids = await listAllMediaIds(db);
  const media = await findMedia(db, ids);
  const here = publicUrl + MEDIA_PATH;
  const local = (url: string | undefined) => (url?.startsWith(here) ? url.slice(publicUrl.length) : url);
  const owners = await listAllMediaOwners(db);
  const entries: Entry[] = [];
  let sizeBytes = 0;
  for (const id of ids) {
    const found = media.get(id);
    if (found === undefined || isExpired(found, nowMs)) continue;
    const subtitles = await listSubtitles(db, id);
    const variants = found.variants?.map((each) => ({ ...each, url: local(each.url) }));
    const addresses = [found.url, found.previewImageUrl, ...(found.variants ?? []).map(({ url }) => url)];
    const names = [
      ...new Set([
        ...addresses.flatMap((url) =>
          url?.startsWith(here) ? namesBehind(found.mediaKey, url.slice(here.length)) : [],
        ),
        ...subtitles.map(({ blob }) => blob),
      ]),
    ];
    const files = await readFiles(blobs, names);
    sizeBytes += files.reduce((sum, { data }) => sum + data.length, 0);
    if (sizeBytes > MAX_FILE_BYTES) throw conflict(TOO_MUCH);
    entries.push(
      entryOf({
        media_key: found.mediaKey,
        type: found.type,
        url: local(found.url),
        width: found.width,
        height: found.height,
        alt_text: found.altText,
        duration_ms: found.durationMs,
        preview_image_url: local(found.previewImageUrl),
        variants,
        files: someOf(files),
        subtitles: someOf(subtitles.filter(({ blob }) => hasFile(files, blob)).map(entryOfSubtitles)),
        owner: found.ownerId === undefined ? undefined : people.find(found.ownerId),
        additional_owners: someOf(people.findAll(owners.get(id) ?? [])),
        expires_at: isUnused(found) && found.expiresAtMs ? worldTimeOf(found.expiresAtMs) : undefined,
      }),
    );
  }
  return entries;
}

function isUnused({ attachedTo }: Media): boolean {
  return attachedTo === undefined;
}

/** Reports whether nobody can use a medium any more. */
function isExpired(media: Media, nowMs: number): boolean {
  return isUnused(media) && (media.expiresAtMs ?? Infinity) <= nowMs;
}

function hasFile(files: readonly { readonly name: string }[], blob: string): boolean {
  return files.some(({ name }) => name === blob);
}

function entryOfSubtitles({ languageCode, displayName, blob }: Subtitles): Entry {
  return entryOf({ language_code: languageCode, display_name: displayName, file: blob });
}

/** Returns the places of posts. */
export async function exportPlaces(db: Queryable): Promise<Entry[]> {
  const places = await readAll<Place>((last, limit) => pagePlaces(db, last?.id ?? '', limit));
  return places.map(entryOfPlace);
}

function entryOfPlace(place: Place): Entry {
  return entryOf({
    id: place.id,
    full_name: place.fullName,
    name: place.name,
    country: place.country,
    country_code: place.countryCode,
    place_type: place.placeType,
    bbox: (place.geo as { readonly bbox?: unknown } | undefined)?.bbox,
  });
}
