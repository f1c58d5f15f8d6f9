import {
  asArray,
  asObject,
  asObjects,
  asText,
  asTimeMs,
  asWhole,
  type WireObject,
} from '../archive/wire-json.js';
import type { Seen } from './seen-objects.js';

/** Entries of world files for objects of v2 (docs/world-files.md#keys). */

/** Returns the entry of a user in a world file. */
export function userEntry(user: WireObject): WireObject {
  return defined({
    id: user.id,
    username: user.username,
    name: asText(user.name) || user.username,
    created_at: timeOf(user.created_at),
    description: asText(user.description) || undefined,
    location: asText(user.location) || undefined,
    url: asText(user.url) || undefined,
    protected: user.protected === true || undefined,
    verified: user.verified === true || undefined,
    verified_type: user.verified_type === 'none' ? undefined : asText(user.verified_type),
    profile_image_url: asText(user.profile_image_url),
    profile_banner_url: asText(user.profile_banner_url),
    pinned_tweet_id: user.pinned_tweet_id,
  });
}

/** Returns the entry of media. */
export function mediaEntry({ media_key, type, ...media }: WireObject): WireObject {
  return defined({
    media_key,
    type,
    url: asText(media.url),
    width: asWhole(media.width) || undefined,
    height: asWhole(media.height) || undefined,
    alt_text: asText(media.alt_text),
    duration_ms: asWhole(media.duration_ms),
    preview_image_url: asText(media.preview_image_url),
    variants: asObjects(media.variants).map(({ bit_rate, content_type, url }) =>
      defined({ bit_rate: asWhole(bit_rate), content_type, url }),
    ),
  });
}

/** Returns the entry of a place; none without its box. */
export function placeEntry({
  id,
  full_name,
  name,
  country,
  country_code,
  place_type,
  geo,
}: WireObject): WireObject[] {
  const bbox = asObject(geo)?.bbox;
  if (bbox === undefined) return [];
  return [
    {
      id,
      full_name,
      name: name ?? full_name,
      country,
      country_code,
      place_type: place_type ?? 'unknown',
      bbox,
    },
  ];
}

/** Returns the entry of a Space in a world file, without its people and posts. */
export function spaceEntry(space: WireObject, topics: Pick<Seen, 'get'>): WireObject {
  const topicIds = [...asArray(space.topic_ids), ...asObjects(space.topics).map(({ id }) => id)];
  return {
    id: space.id,
    title: asText(space.title) ?? '',
    state: space.state,
    created_at: asText(space.created_at),
    scheduled_start: asText(space.scheduled_start),
    started_at: asText(space.started_at),
    ended_at: asText(space.ended_at),
    lang: asText(space.lang) || undefined,
    is_ticketed: space.is_ticketed === true || undefined,
    participant_count: asWhole(space.participant_count),
    topics: [...new Set(topicIds)].flatMap((id) => {
      const { name, description } = topics.get(String(id)) ?? {};
      return name === undefined ? [] : [{ id, name, ...(description !== undefined && { description }) }];
    }),
  };
}

/** Returns the poll of the entry of a post. */
export function pollEntry(poll: WireObject | undefined): WireObject | undefined {
  const options = asObjects(poll?.options);
  const minutes = asWhole(poll?.duration_minutes);
  if (options.length === 0 || minutes === undefined) return undefined;
  return {
    options: options.map(({ label }) => label),
    votes: options.map(({ votes }) => asWhole(votes) ?? 0),
    duration_minutes: minutes,
  };
}

export function timeOf(value: unknown): string | undefined {
  const timeMs = asTimeMs(value);
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
}

/** Returns the members that are neither undefined nor empty lists. */
export function defined(entry: WireObject): WireObject {
  const kept = Object.entries(entry).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept);
}
