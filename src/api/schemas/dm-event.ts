import { date, id, listOf, object, oneOf, text } from '../../core/json-schema.js';
import { entities } from './entities.js';

/** A direct message event (docs/api/objects.md#message-event). */
export const dmEvent = object(
  {
    id,
    event_type: oneOf('MessageCreate', 'ParticipantsJoin', 'ParticipantsLeave'),
    text,
    attachments: object({ media_keys: listOf(text), card_ids: listOf(text) }),
    created_at: date,
    dm_conversation_id: {
      type: 'string',
      pattern: '^([0-9]{1,19}-[0-9]{1,19}|[0-9]{15,19})$',
      example: '7-9',
    },
    entities,
    participant_ids: listOf(id),
    referenced_tweets: listOf(object({ id }, ['id'])),
    sender_id: id,
  },
  ['id', 'event_type'],
);
