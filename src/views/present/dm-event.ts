import type { DmEvent } from '../../core/direct-message.js';
import { escapeText } from '../../core/post-text/escape.js';
import { presentDate } from './dates.js';

/** An event of a conversation (docs/api/objects.md#message-event). Fields without a value are left out. */
export function presentDmEvent(event: DmEvent, fields: ReadonlySet<string>): Record<string, unknown> {
  const { detail } = event;
  const wire: Record<string, unknown> = { id: String(event.id), event_type: event.type };
  if (event.text !== undefined) wire.text = escapeText(event.text);
  if (fields.size === 0) return wire;
  const put = (field: string, value: unknown): void => {
    if (value !== undefined && fields.has(field)) wire[field] = value;
  };
  put('attachments', detail.mediaKeys && { media_keys: detail.mediaKeys });
  put('created_at', presentDate(event.createdAtMs));
  put('dm_conversation_id', event.conversationId);
  put('entities', detail.entities);
  put('participant_ids', detail.participantIds);
  put(
    'referenced_tweets',
    detail.postIds?.map((id) => ({ id })),
  );
  put('sender_id', event.senderId?.toString());
  return wire;
}
