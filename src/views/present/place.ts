import type { Place } from '../../core/post.js';

/** A place (docs/api/objects.md#place). */
export function presentPlace(place: Place, fields: ReadonlySet<string>): Record<string, unknown> {
  const wire: Record<string, unknown> = { id: place.id, full_name: place.fullName };
  const put = (field: string, value: unknown): void => {
    if (value !== undefined && fields.has(field)) wire[field] = value;
  };
  put('name', place.name);
  put('country', place.country);
  put('country_code', place.countryCode);
  put('place_type', place.placeType);
  put('contained_within', place.containedWithin);
  put('geo', place.geo);
  return wire;
}
