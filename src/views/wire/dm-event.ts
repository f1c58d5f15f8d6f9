import { DM_EVENT_TYPES, type DmEvent } from '../../core/direct-message.js';
import { date, fullObject, id, listOf, object, oneOf, schemaOf, text } from '../../core/json-schema.js';
import { escapeText } from '../../core/post-text/escape.js';
import { presentDate } from '../present/dates.js';
import { entities } from './entities.js';
import { byDefault, field, required, type Fields } from './field.js';

const conversationId = schemaOf('string', {
  pattern: '^([0-9]{1,19}-[0-9]{1,19}|[0-9]{15,19})$',
  example: '7-9',
});

/** An event of a conversation (docs/api/objects.md#message-event). */
export const dmEventFields = {
  id: required(id, (event) => String(event.id)),
  event_type: required(oneOf(...DM_EVENT_TYPES), ({ type }) => type),
  text: byDefault(text, (event) => (event.text === undefined ? undefined : escapeText(event.text))),
  attachments: field(
    object({ media_keys: listOf(text), card_ids: listOf(text) }),
    ({ detail: { mediaKeys } }) => mediaKeys && { media_keys: mediaKeys },
  ),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  dm_conversation_id: field(conversationId, (event) => event.conversationId),
  entities: field(entities, ({ detail }) => detail.entities),
  participant_ids: field(listOf(id), ({ detail }) => detail.participantIds),
  referenced_tweets: field(listOf(fullObject({ id })), ({ detail }) =>
    detail.postIds?.map((postId) => ({ id: postId })),
  ),
  sender_id: field(id, ({ senderId }) => senderId?.toString()),
} satisfies Fields<DmEvent>;
