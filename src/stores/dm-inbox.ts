import type { ConversationId, DmEvent, DmEventType } from '../core/direct-message.js';
import type { DmEventId, UserId } from '../core/ids.js';
import type { KeyRange, Page, PageRequest } from '../core/page.js';
import type { DmEventRef } from './dm-events.js';
import { lowerThread, raiseThreads } from './dm-threads.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { asId, asText, list, sql } from '../database/sql.js';
import { pageQuery, rowQuery, setQuery } from '../database/table.js';

/**
 * The events visible to each user: those of conversations in which the user participated at that time, except the
 * ones the user deleted. An event is only ever read through an inbox.
 */

/** Adds an event to the inbox of every current participant. `position` orders it among other events. */
export async function deliver(tx: Tx, event: DmEvent, position: bigint = event.id): Promise<void> {
  await tx.run(sql`
    INSERT INTO dm_inbox (user_id, position, event_id, conversation_id, type)
    SELECT user_id, ${position}, ${event.id}, ${event.conversationId}, ${event.type}
    FROM dm_participants WHERE conversation_id = ${event.conversationId}`);
  await raiseThreads(tx, event, position);
}

/** Selects events of a user's inbox. */
export interface InboxFilter {
  readonly userId: UserId;
  /** Absent: all conversations. */
  readonly conversationId?: ConversationId;
  readonly types: readonly DmEventType[];
  /** The range of positions; absent: all. */
  readonly window?: KeyRange;
}

/** Returns a page of the selected events, newest first. */
export function listInbox(
  db: Queryable,
  { userId, conversationId, types, window }: InboxFilter,
  request: PageRequest,
): Promise<Page<DmEventRef>> {
  return conversationId === undefined
    ? EVERYWHERE(db, [types, userId], request, { window })
    : IN_CONVERSATION(db, [types, userId, conversationId], request, { window });
}

const TYPED = 'SELECT position, event_id, conversation_id FROM dm_inbox WHERE type IN ? AND user_id = ?';
const EVERYWHERE = pageQuery<DmEventRef, [readonly DmEventType[], UserId]>(TYPED, 'position', decodeRef);
const IN_CONVERSATION = pageQuery<DmEventRef, [readonly DmEventType[], UserId, ConversationId]>(
  `${TYPED} AND conversation_id = ?`,
  'position',
  decodeRef,
);

function decodeRef(row: Row): DmEventRef {
  return { conversationId: asText(row.conversation_id) as ConversationId, eventId: asId(row.event_id) };
}

/** Returns the key of an event, or undefined if the user cannot see it. */
export const findInInbox = rowQuery<DmEventRef, [UserId, DmEventId]>(
  decodeRef,
  'SELECT event_id, conversation_id FROM dm_inbox WHERE user_id = ? AND event_id = ?',
);

/** Deletes events of a conversation from one user's inbox. Returns the number deleted. */
export async function deleteFromInbox(
  tx: Tx,
  userId: UserId,
  id: ConversationId,
  eventIds: readonly DmEventId[],
): Promise<number> {
  const deleted = await tx.run(
    sql`DELETE FROM dm_inbox WHERE user_id = ${userId} AND event_id IN ${list(eventIds)}`,
  );
  await lowerThread(tx, userId, id);
  return deleted;
}

/** Returns the events that at least one of the users can see. */
export const seenAmong = setQuery<DmEventId, [userIds: readonly UserId[], eventIds: readonly DmEventId[]]>(
  asId,
  'SELECT event_id FROM dm_inbox WHERE user_id IN ? AND event_id IN ?',
);
