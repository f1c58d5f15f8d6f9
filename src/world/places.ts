import type { Place } from '../core/post.js';
import { insertPlace } from '../stores/places.js';
import { requireUnique, type Check, type Load } from './pass.js';
import {
  listOf,
  matching,
  numberFrom,
  objectOf,
  oneOf,
  reader,
  required,
  textOf,
  valuesOf,
  type Reader,
} from './readers.js';

/** docs/api/objects.md#place. */
const PLACE_TYPES = ['poi', 'neighborhood', 'city', 'admin', 'country', 'unknown'] as const;
const MAX_NAME = 200;

/** A place's id as entries name it. */
export const placeId = matching(/^[A-Za-z0-9]{1,32}$/, 'a place id of letters and digits');

const coordinate = numberFrom(-180, 180);

/** West, south, east, north in degrees; one that crosses the 180th meridian has its west greater than its east. */
const fourSides = valuesOf(coordinate, 4, 4);
const boundingBox: Reader<readonly number[]> = reader(fourSides.schema, (value, path, faults) => {
  const sides = fourSides(value, path, faults);
  const [, south, , north] = sides ?? [];
  if (south === undefined || north === undefined) return undefined;
  if (south >= -90 && south <= north && north <= 90) return sides;
  faults.add(path, 'must be [west, south, east, north] in degrees');
  return undefined;
});

const place = objectOf({
  id: required(placeId),
  full_name: required(textOf(1, MAX_NAME)),
  name: required(textOf(1, MAX_NAME)),
  country: required(textOf(1, MAX_NAME)),
  country_code: required(matching(/^[A-Z]{2}$/, 'a country code of two capital letters')),
  place_type: required(oneOf(PLACE_TYPES)),
  bbox: required(boundingBox),
});
export const readPlaces = listOf(place);
export type WorldPlace = NonNullable<ReturnType<typeof place>>;

export function checkPlaces(entries: readonly WorldPlace[], { faults }: Check): void {
  requireUnique(entries, 'id', (entry) => entry.id, faults);
}

/** Stores the places that the database does not have. */
export async function storePlaces(entries: readonly WorldPlace[], load: Load): Promise<void> {
  for (const entry of entries) {
    if (await insertPlace(load.tx, asPlace(entry))) load.added('places');
  }
}

function asPlace(entry: WorldPlace): Place {
  return {
    id: entry.id,
    fullName: entry.full_name,
    name: entry.name,
    country: entry.country,
    countryCode: entry.country_code,
    placeType: entry.place_type,
    geo: { type: 'Feature', bbox: entry.bbox, properties: {} },
  };
}
