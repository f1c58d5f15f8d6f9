import { count, date, flag, id, listOf, object, oneOf, text } from '../../core/json-schema.js';

/** A topic (docs/api/objects.md#space). */
export const topic = object({ id: text, name: text, description: text }, ['id', 'name']);

/** A Space (docs/api/objects.md#space). */
export const space = object(
  {
    id: { type: 'string', pattern: '^[a-zA-Z0-9]{1,13}$', example: '1DXxyRYNejbKM' },
    state: oneOf('live', 'scheduled', 'ended'),
    created_at: date,
    creator_id: id,
    ended_at: date,
    host_ids: listOf(id),
    invited_user_ids: listOf(id),
    is_ticketed: flag,
    lang: text,
    participant_count: count,
    scheduled_start: date,
    speaker_ids: listOf(id),
    started_at: date,
    subscriber_count: count,
    title: text,
    topics: listOf(topic),
    updated_at: date,
  },
  ['id', 'state'],
);
