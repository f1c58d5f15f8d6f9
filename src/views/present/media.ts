import type { Media } from '../../core/post.js';

/** A media object (docs/api/objects.md#media); photos have `url`, the others `preview_image_url` and `variants`. */
export function presentMedia(media: Media, fields: ReadonlySet<string>): Record<string, unknown> {
  const isPhoto = media.type === 'photo';
  const wire: Record<string, unknown> = { media_key: media.mediaKey, type: media.type };
  const put = (field: string, value: unknown): void => {
    if (value !== undefined && fields.has(field)) wire[field] = value;
  };
  put('url', isPhoto ? media.url : undefined);
  put('alt_text', media.altText);
  put('height', media.height);
  put('width', media.width);
  put('preview_image_url', isPhoto ? undefined : media.previewImageUrl);
  put('duration_ms', media.durationMs);
  put('variants', media.variants);
  put('public_metrics', media.viewCount === undefined ? undefined : { view_count: media.viewCount });
  return wire;
}
