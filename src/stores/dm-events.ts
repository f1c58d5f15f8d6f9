import type { ConversationId, DmEvent } from '../core/direct-message.js';
import type { DmEventId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asId,
  asNumber,
  asOptionalId,
  asOptionalText,
  asPresentJson,
  asText,
  toJson,
  list,
  sql,
} from '../database/sql.js';
import { defineTable, rowsChange, setQuery } from '../database/table.js';
import { grouped } from '../core/grouped.js';

/** The key of an event. */
export interface DmEventRef {
  readonly conversationId: ConversationId;
  readonly eventId: DmEventId;
}

const EVENTS = defineTable<DmEvent, DmEventId>('dm_events', 'id', {
  id: ['id', asId],
  conversationId: ['conversation_id', asText],
  type: ['type', asText],
  createdAtMs: ['created_at', asNumber],
  senderId: ['sender_id', asOptionalId],
  text: ['text', asOptionalText],
  detail: ['detail', asPresentJson, toJson],
});

const FEED_KINDS = {
  MessageCreate: 'message-sent',
  ParticipantsJoin: 'conversation-joined',
  ParticipantsLeave: 'conversation-left',
} as const;

/** Stores an event. It is invisible until it is delivered (dm-inbox.ts). */
export async function insertDmEvent(tx: Tx, event: DmEvent): Promise<void> {
  await EVENTS.insert(tx, event);
  const { id: eventId, conversationId: conversation, type, senderId } = event;
  tx.emit({ kind: FEED_KINDS[type], conversation, eventId, senderId });
}

/** Groups event ids by conversation. */
export function byConversation(refs: readonly DmEventRef[]): Map<ConversationId, DmEventId[]> {
  return grouped(refs.map(({ conversationId, eventId }) => [conversationId, eventId]));
}

/** Returns the stored events among `refs`, by id, without a visibility check: refs come from a user's inbox. */
export async function findDmEvents(
  db: Queryable,
  refs: readonly DmEventRef[],
): Promise<Map<DmEventId, DmEvent>> {
  // A single statement would look up every event in every conversation.
  const found = await Promise.all(
    [...byConversation(refs)].map(([id, ids]) =>
      EVENTS.list(db, sql`conversation_id = ${id} AND id IN ${list(ids)}`),
    ),
  );
  return new Map(found.flat().map((event) => [event.id, event]));
}

/** Deletes events of a conversation. */
export const deleteDmEvents = rowsChange<[ConversationId, readonly DmEventId[]]>(
  'DELETE FROM dm_events WHERE conversation_id = ? AND id IN ?',
);

/** Returns the ids that exist as events of any conversation. Has no index: only for loading world files. */
export const messagesAmong = setQuery<DmEventId, [ids: readonly DmEventId[]]>(
  asId,
  'SELECT id FROM dm_events WHERE id IN ?',
);

/** Returns all events of a conversation, ordered by id, without a visibility check. */
export function listEvents(db: Queryable, id: ConversationId): Promise<DmEvent[]> {
  return EVENTS.list(db, sql`conversation_id = ${id} ORDER BY id`);
}
