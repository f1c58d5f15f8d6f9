import { count, date, flag, id, listOf, oneOf, schemaOf, text } from '../../core/json-schema.js';
import type { Space, SpaceTopic } from '../../core/space.js';
import { presentDate } from '../present/dates.js';
import { field, objectSchema, required, type Fields } from './field.js';

/** A topic (docs/api/objects.md#space). */
export const topicFields = {
  id: required(text, (topic) => topic.id),
  name: required(text, ({ name }) => name),
  description: field(text, ({ description }) => description),
} satisfies Fields<SpaceTopic>;

/** A Space (docs/api/objects.md#space), beside it the number of its subscribers for its creator. */
export const spaceFields = {
  id: required(
    schemaOf('string', { pattern: '^[a-zA-Z0-9]{1,13}$', example: '1DXxyRYNejbKM' }),
    (space) => space.id,
  ),
  state: required(oneOf('live', 'scheduled', 'ended'), ({ state }) => state),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  creator_id: field(id, ({ creatorId }) => String(creatorId)),
  ended_at: field(date, ({ endedAtMs }) => presentDate(endedAtMs)),
  host_ids: field(listOf(id), ({ hostIds }) => idsOf(hostIds)),
  invited_user_ids: field(listOf(id), ({ invitedIds }) => idsOf(invitedIds)),
  is_ticketed: field(flag, ({ isTicketed }) => isTicketed),
  lang: field(text, ({ lang }) => lang),
  participant_count: field(count, ({ participants }) => participants),
  scheduled_start: field(date, ({ scheduledStartMs }) => presentDate(scheduledStartMs)),
  speaker_ids: field(listOf(id), ({ speakerIds }) => idsOf(speakerIds)),
  started_at: field(date, ({ startedAtMs }) => presentDate(startedAtMs)),
  subscriber_count: field(count, (_, subscribers) => subscribers),
  title: field(text, ({ title }) => (title === '' ? undefined : title)),
  topics: {
    ...field(listOf(objectSchema(topicFields)), ({ topics }) => (topics.length > 0 ? topics : undefined)),
    askedAs: 'topic_ids',
  },
  updated_at: field(date, ({ updatedAtMs }) => presentDate(updatedAtMs)),
} satisfies Fields<Space, number | undefined>;

function idsOf(ids: readonly bigint[]): string[] | undefined {
  return ids.length > 0 ? ids.map(String) : undefined;
}
