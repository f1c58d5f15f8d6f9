import { conflict } from '../../core/errors.js';
import type { Place } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { pagePlaces } from '../../stores/places.js';
import { listAllMediaIds } from '../../stores/whole-network.js';
import { readBlob, type WholeBlobs } from '../../stores/blobs/whole-blobs.js';
import { MEDIA_PATH } from '../media-files.js';
import { entryOf, someOf, type Entry } from './entry.js';
import type { Names } from './names.js';

const PAGE = 1_000;

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
): Promise<Entry[]> {
  const ids = await listAllMediaIds(db);
  const media = await findMedia(db, ids);
  const here = publicUrl + MEDIA_PATH;
  const local = (url: string | undefined) => (url?.startsWith(here) ? url.slice(publicUrl.length) : url);
  const entries: Entry[] = [];
  let sizeBytes = 0;
  for (const id of ids) {
    const found = media.get(id);
    if (found === undefined) continue;
    const variants = found.variants?.map((each) => ({ ...each, url: local(each.url) }));
    const addresses = [found.url, found.previewImageUrl, ...(found.variants ?? []).map(({ url }) => url)];
    const names = [
      ...new Set(addresses.flatMap((url) => (url?.startsWith(here) ? [url.slice(here.length)] : []))),
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
        owner: found.ownerId === undefined ? undefined : people.find(found.ownerId),
      }),
    );
  }
  return entries;
}
/** Returns the places of posts. */
export async function exportPlaces(db: Queryable): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after = ''; ;) {
    const page: Place[] = await pagePlaces(db, after, PAGE);
    entries.push(...page.map(entryOfPlace));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return entries;
    after = last.id;
  }
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
