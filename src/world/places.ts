import type { Place } from '../core/post.js';
import * as v from '../core/validators.js';
import { insertPlace } from '../stores/places.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { listOf, objectOf, valuesOf } from './readers.js';

/** docs/api/objects.md#place. */
const PLACE_TYPES = ['poi', 'neighborhood', 'city', 'admin', 'country', 'unknown'] as const;
const MAX_NAME = 200;

/** Reads the id of a place. */
export const placeId = v.matching(/^[A-Za-z0-9]{1,32}$/, { description: 'a place id of letters and digits' });

const coordinate = v.leaf(
  { type: 'number', minimum: -180, maximum: 180 },
  { kind: 'number', min: -180, max: 180 },
  (value) => (typeof value === 'number' && value >= -180 && value <= 180 ? value : undefined),
);

/** West, south, east, north in degrees; west is greater than east in a box across the 180th meridian. */
const boundingBox = v.refined(valuesOf(coordinate, { min: 4, max: 4 }), (sides, path, faults) => {
  const [, south = 0, , north = 0] = sides;
  if (south >= -90 && south <= north && north <= 90) return sides;
  faults.add(path, 'must be [west, south, east, north] in degrees');
  return undefined;
});

const place = objectOf({
  id: v.required(placeId),
  full_name: v.required(v.text({ min: 1, max: MAX_NAME })),
  name: v.required(v.text({ min: 1, max: MAX_NAME })),
  country: v.required(v.text({ min: 1, max: MAX_NAME })),
  country_code: v.required(
    v.matching(/^[A-Z]{2}$/, { description: 'a country code of two capital letters' }),
  ),
  place_type: v.required(v.oneOf(PLACE_TYPES)),
  bbox: v.required(boundingBox),
});
export const readPlaces = listOf(place);
export type WorldPlace = v.ValueOf<typeof place>;

export function checkPlaces(entries: readonly WorldPlace[], { faults }: Check): void {
  requireUnique(entries, 'id', (entry) => entry.id, faults);
}

/** Stores the places that are not in the database. */
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
