import type { UrlEntity } from '../../core/entities.js';
import type { Media } from '../../core/post.js';
import { presentLinkV1 } from './entities.js';

/** The sides, in pixels, of the squares into which the sizes of a picture fit. */
const SIDES = { small: 680, medium: 1_200, large: 2_048 } as const;
const THUMB_SIDE = 150;

/** Returns media in the v1.1 format, with the link in the text that stands for them. */
export function presentMediaV1(media: Media, link: UrlEntity | undefined) {
  const { id, type, url, previewImageUrl, altText } = media;
  const picture = (type === 'photo' ? url : previewImageUrl) ?? '';
  return {
    id,
    id_str: String(id),
    media_url: picture,
    media_url_https: picture,
    ...(link
      ? presentLinkV1(link)
      : { url: picture, expanded_url: picture, display_url: picture, indices: [0, 0] }),
    type,
    ext_alt_text: altText ?? null,
    sizes: sizesOf(media),
    video_info: type === 'photo' ? undefined : videoOf(media),
  };
}

export type MediaV1 = ReturnType<typeof presentMediaV1>;

function sizesOf({ width = 0, height = 0 }: Media) {
  const fit = (side: number) => {
    const factor = Math.min(1, side / Math.max(width, height, 1));
    return { w: Math.round(width * factor), h: Math.round(height * factor), resize: 'fit' };
  };
  const thumb = { w: Math.min(THUMB_SIDE, width), h: Math.min(THUMB_SIDE, height), resize: 'crop' };
  return { thumb, small: fit(SIDES.small), medium: fit(SIDES.medium), large: fit(SIDES.large) };
}

function videoOf({ width = 0, height = 0, durationMs, variants = [] }: Media) {
  const divisor = greatestCommonDivisor(width, height);
  return {
    aspect_ratio: divisor === 0 ? [1, 1] : [width / divisor, height / divisor],
    duration_millis: durationMs,
    variants: variants.map(({ bit_rate, content_type, url }) => ({ bitrate: bit_rate, content_type, url })),
  };
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
