import { count, listOf, object, oneOf, schemaOf, text, url } from '../../core/json-schema.js';
import { MEDIA_TYPES, type Media } from '../../core/post.js';
import { field, required, unshown, type Fields } from './field.js';

const variants = listOf(object({ bit_rate: count, content_type: text, url }, ['content_type', 'url']));

const playback = {
  playback_0_count: count,
  playback_25_count: count,
  playback_50_count: count,
  playback_75_count: count,
  playback_100_count: count,
};

/** Media (docs/api/objects.md#media). */
export const mediaFields = {
  media_key: required(
    schemaOf('string', { pattern: '^([0-9]+)_([0-9]+)$', example: '3_1346889436626259968' }),
    ({ mediaKey }) => mediaKey,
  ),
  type: required(oneOf(...MEDIA_TYPES), ({ type }) => type),
  url: field(url, (media) => (media.type === 'photo' ? media.url : undefined)),
  alt_text: field(schemaOf('string', { maxLength: 1000 }), ({ altText }) => altText),
  height: field(count, ({ height }) => height),
  width: field(count, ({ width }) => width),
  preview_image_url: field(url, (media) => (media.type === 'photo' ? undefined : media.previewImageUrl)),
  duration_ms: field(count, ({ durationMs }) => durationMs),
  variants: field(variants, (media) => media.variants),
  public_metrics: field(object({ view_count: count }), ({ viewCount }) =>
    viewCount === undefined ? undefined : { view_count: viewCount },
  ),
  non_public_metrics: unshown(object(playback)),
  organic_metrics: unshown(object({ ...playback, view_count: count })),
  promoted_metrics: unshown(object({ ...playback, view_count: count })),
} satisfies Fields<Media>;
