import { listOf, object, oneOf, schemaOf, text } from '../../core/json-schema.js';
import type { Place } from '../../core/post.js';
import { asImported, field, required, type Fields } from './field.js';

const numbers = listOf(schemaOf('number'));
const geo = object({
  type: oneOf('Feature'),
  bbox: numbers,
  properties: schemaOf('object'),
  geometry: object({ type: oneOf('Point'), coordinates: numbers }),
});

/** A place (docs/api/objects.md#place). */
export const placeFields = {
  id: required(schemaOf('string', { example: '01a9a39529b27f36' }), (place) => place.id),
  full_name: required(text, ({ fullName }) => fullName),
  name: field(text, ({ name }) => name),
  country: field(text, ({ country }) => country),
  country_code: field(schemaOf('string', { pattern: '^[A-Z]{2}$' }), ({ countryCode }) => countryCode),
  place_type: field(oneOf('poi', 'neighborhood', 'city', 'admin', 'country', 'unknown'), ({ placeType }) =>
    asImported(placeType),
  ),
  contained_within: field(listOf(text), ({ containedWithin }) => containedWithin),
  geo: field(geo, (place) => asImported(place.geo)),
} satisfies Fields<Place>;
