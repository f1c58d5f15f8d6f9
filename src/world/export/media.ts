import type { UserId } from '../../core/ids.js';
import type { Place } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { pagePlaces } from '../../stores/places.js';
import { listAllMediaIds } from '../../stores/whole-network.js';
import { entryOf, type Entry } from './entry.js';
import type { Names } from './names.js';

const PAGE = 1_000;

/** Returns the media that posts and messages use, and those that may still be used. */
export async function exportMedia(db: Queryable, names: Names): Promise<Entry[]> {
  const ids = await listAllMediaIds(db);
  const media = await findMedia(db, ids);
  return ids.flatMap((id) => {
    const found = media.get(id);
    if (found === undefined) return [];
    const owner = found.ownerId === undefined ? undefined : names.find(found.ownerId as UserId);
    return [
      entryOf({
        media_key: found.mediaKey,
        type: found.type,
        url: found.url,
        width: found.width,
        height: found.height,
        alt_text: found.altText,
        duration_ms: found.durationMs,
        preview_image_url: found.previewImageUrl,
        variants: found.variants,
        owner,
      }),
    ];
  });
}

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
