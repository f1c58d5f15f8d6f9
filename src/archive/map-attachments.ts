import type { PollId } from '../core/ids.js';
import { MEDIA_TYPES, mediaIdOfKey, type Media, type Place, type Poll } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { EARLIEST_MS } from './map-user.js';
import { isMediaKey, requireId } from './map-post.js';
import type { MediaSighting, PollSighting } from './sighting.js';
import {
  asArray,
  asCount,
  asFilledArray,
  asObject,
  asObjects,
  asText,
  asTimeMs,
  asWhole,
  RefusedObject,
  requireShallow,
  type WireObject,
} from './wire-json.js';

/** Maps media (docs/api/objects.md#media), without an owner. Throws RefusedObject without a valid key and type. */
export function mapMedia(wire: WireObject, observedAtMs: number): MediaSighting {
  const mediaKey = wire.media_key;
  if (!isMediaKey(mediaKey)) throw new RefusedObject('media_key is not a media key');
  const id = mediaIdOfKey(mediaKey);
  requireShallow(wire.variants);
  const type = MEDIA_TYPES.find((known) => known === wire.type);
  if (!type) throw new RefusedObject('media of an unknown type');
  const media: Media = {
    id,
    mediaKey,
    type,
    url: asText(wire.url),
    previewImageUrl: asText(wire.preview_image_url),
    width: asWhole(wire.width),
    height: asWhole(wire.height),
    durationMs: asWhole(wire.duration_ms),
    altText: asText(wire.alt_text),
    viewCount: asCount(asObject(wire.public_metrics)?.view_count),
    variants: asFilledArray(wire.variants) as Media['variants'],
    createdAtMs: timeOfId(id) ?? EARLIEST_MS,
  };
  return { observedAtMs, isFull: true, media };
}

/** Maps a poll (docs/api/objects.md#poll), with its options ordered by position. */
export function mapPoll(wire: WireObject, observedAtMs: number): PollSighting {
  const options = asObjects(wire.options).toSorted((a, b) => Number(a.position) - Number(b.position));
  const poll: Poll = {
    id: requireId<PollId>(wire.id, 'poll id'),
    options: options.map((option) => ({
      label: asText(option.label) ?? '',
      votes: asCount(option.votes) ?? 0,
    })),
    durationMinutes: asWhole(wire.duration_minutes),
    endsAtMs: asTimeMs(wire.end_datetime),
    votingStatus:
      wire.voting_status === 'open' || wire.voting_status === 'closed' ? wire.voting_status : undefined,
  };
  return { observedAtMs, isFull: true, poll };
}

/** Maps a place (docs/api/objects.md#place), or a place that flattening merged into a post's `geo`. */
export function mapPlace(wire: WireObject): Place {
  const id = asText(wire.id ?? wire.place_id);
  const fullName = asText(wire.full_name);
  if (!id || fullName === undefined) throw new RefusedObject('a place without id or full_name');
  requireShallow(wire.geo);
  const containedWithin = asArray(wire.contained_within).filter((within) => typeof within === 'string');
  return {
    id,
    fullName,
    name: asText(wire.name),
    country: asText(wire.country),
    countryCode: asText(wire.country_code),
    placeType: asText(wire.place_type),
    containedWithin: containedWithin.length > 0 ? containedWithin : undefined,
    geo: asObject(wire.geo),
  };
}
