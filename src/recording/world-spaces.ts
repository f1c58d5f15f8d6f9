import { asArray, asObjects, asText, asWhole, type WireObject } from '../archive/wire-json.js';
import type { Seen } from './seen-objects.js';

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
