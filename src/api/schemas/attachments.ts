import { MEDIA_TYPES } from '../../core/post.js';
import {
  count,
  date,
  fullObject,
  id,
  listOf,
  object,
  oneOf,
  schemaOf,
  text,
  url,
} from '../../core/json-schema.js';

const playback = Object.fromEntries(
  [0, 25, 50, 75, 100].map((percent) => [`playback_${percent}_count`, count]),
);

/** Media (docs/api/objects.md#media). */
export const media = object(
  {
    media_key: { type: 'string', pattern: '^([0-9]+)_([0-9]+)$', example: '3_1346889436626259968' },
    type: oneOf(...MEDIA_TYPES),
    alt_text: { type: 'string', maxLength: 1000 },
    duration_ms: count,
    height: count,
    non_public_metrics: object(playback),
    organic_metrics: object({ ...playback, view_count: count }),
    promoted_metrics: object({ ...playback, view_count: count }),
    preview_image_url: url,
    public_metrics: object({ view_count: count }),
    url,
    variants: listOf(object({ bit_rate: count, content_type: text, url }, ['content_type', 'url'])),
    width: count,
  },
  ['media_key', 'type'],
);

/** A poll (docs/api/objects.md#poll). */
export const poll = object(
  {
    id,
    options: listOf(
      fullObject({ position: schemaOf('integer', { minimum: 1, maximum: 4 }), label: text, votes: count }),
    ),
    duration_minutes: { type: 'integer', minimum: 5, maximum: 10_080 },
    end_datetime: date,
    voting_status: oneOf('open', 'closed'),
  },
  ['id', 'options'],
);

const numbers = listOf(schemaOf('number'));

/** A place (docs/api/objects.md#place). */
export const place = object(
  {
    id: { type: 'string', example: '01a9a39529b27f36' },
    full_name: text,
    contained_within: listOf(text),
    country: text,
    country_code: { type: 'string', pattern: '^[A-Z]{2}$' },
    geo: object({
      type: oneOf('Feature'),
      bbox: numbers,
      properties: { type: 'object' },
      geometry: object({ type: oneOf('Point'), coordinates: numbers }),
    }),
    name: text,
    place_type: oneOf('poi', 'neighborhood', 'city', 'admin', 'country', 'unknown'),
  },
  ['id', 'full_name'],
);
