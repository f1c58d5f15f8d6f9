import type { ExactJson } from '../../core/exact-json.js';
import type { Place } from '../../core/post.js';

/** Returns a place in the v1.1 format. */
export function presentPlaceV1(place: Place): Readonly<Record<string, ExactJson>> {
  return {
    id: place.id,
    place_type: place.placeType,
    name: place.name ?? place.fullName,
    full_name: place.fullName,
    country_code: place.countryCode,
    country: place.country,
    bounding_box: boxOf(place),
    attributes: {},
  };
}

/** Returns the four corners of a place as a polygon. */
function boxOf({ geo }: Place): ExactJson {
  const [west, south, east, north] = (geo?.['bbox'] ?? []) as readonly number[];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return { type: 'Polygon', coordinates: [corners] };
}
