import type { Space, SpaceTopic } from '../../core/space.js';
import { presentDate } from './dates.js';

/** A Space (docs/api/objects.md#space). Fields without a value are left out. */
export function presentSpace(
  space: Space,
  fields: ReadonlySet<string>,
  subscribers: number | undefined,
): Record<string, unknown> {
  const wire: Record<string, unknown> = { id: space.id, state: space.state };
  if (fields.size === 0) return wire;
  const put = (field: string, value: unknown, name = field): void => {
    if (value !== undefined && fields.has(field)) wire[name] = value;
  };
  const date = (timeMs: number | undefined) => (timeMs === undefined ? undefined : presentDate(timeMs));
  put('created_at', presentDate(space.createdAtMs));
  put('creator_id', String(space.creatorId));
  put('ended_at', date(space.endedAtMs));
  put('host_ids', idsOf(space.hostIds));
  put('invited_user_ids', idsOf(space.invitedIds));
  put('is_ticketed', space.isTicketed);
  put('lang', space.lang);
  put('participant_count', space.participants);
  put('scheduled_start', date(space.scheduledStartMs));
  put('speaker_ids', idsOf(space.speakerIds));
  put('started_at', date(space.startedAtMs));
  put('subscriber_count', subscribers);
  put('title', space.title === '' ? undefined : space.title);
  put('topic_ids', space.topics.length > 0 ? space.topics : undefined, 'topics');
  put('updated_at', presentDate(space.updatedAtMs));
  return wire;
}

/** A topic (docs/api/objects.md#space). */
export function presentTopic(topic: SpaceTopic, fields: ReadonlySet<string>): Record<string, unknown> {
  const { id, name, description } = topic;
  return { id, name, ...(fields.has('description') && description !== undefined && { description }) };
}

function idsOf(ids: readonly bigint[]): string[] | undefined {
  return ids.length > 0 ? ids.map(String) : undefined;
}
