import type { ConversationId, DmEvent } from '../core/direct-message.js';
import type { DmEventId, UserId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asText, sql } from '../database/sql.js';
import { countQuery, mapQuery, pageQuery, valueQuery } from '../database/table.js';
import type { DmEventRef } from './dm-events.js';

/**
 * The conversations of each user that have events in the user's inbox. Positions are those of the inbox
 * (dm-inbox.ts); own messages count as read.
 */

/** Makes an event the newest of its conversation for every participant, unless an inbox has a newer one. */
export async function raiseThreads(tx: Tx, event: DmEvent, position: bigint): Promise<void> {
  const { conversationId, senderId = NOBODY } = event;
  await tx.run(sql`
    INSERT INTO dm_threads (user_id, conversation_id, last_position, read_up_to)
    SELECT user_id, ${conversationId}, ${position},
      CASE WHEN user_id = ${senderId} THEN ${position} ELSE CAST(-1 AS BIGINT) END
    FROM dm_participants WHERE conversation_id = ${conversationId}
    ON CONFLICT (user_id, conversation_id) DO UPDATE SET
      last_position = CASE WHEN excluded.last_position > dm_threads.last_position
        THEN excluded.last_position ELSE dm_threads.last_position END,
      read_up_to = CASE WHEN excluded.read_up_to > dm_threads.read_up_to
        THEN excluded.read_up_to ELSE dm_threads.read_up_to END`);
}

const NOBODY = -1n;

/** Finds the newest event of a conversation again, after events were deleted from the user's inbox. */
export async function lowerThread(tx: Tx, userId: UserId, id: ConversationId): Promise<void> {
  const ofUser = sql`user_id = ${userId} AND conversation_id = ${id}`;
  const newest = await tx.get(sql`
    SELECT position FROM dm_inbox WHERE ${ofUser} ORDER BY position DESC LIMIT 1`);
  await tx.run(
    newest
      ? sql`UPDATE dm_threads SET last_position = ${asId(newest.position)} WHERE ${ofUser}`
      : sql`DELETE FROM dm_threads WHERE ${ofUser}`,
  );
}

/** Marks a conversation as read up to an event in the user's inbox. Returns false if it is not there. */
export async function readThread(
  tx: Tx,
  userId: UserId,
  { conversationId, eventId }: DmEventRef,
): Promise<boolean> {
  const event = await tx.get(sql`
    SELECT position FROM dm_inbox
    WHERE user_id = ${userId} AND event_id = ${eventId} AND conversation_id = ${conversationId}`);
  if (!event) return false;
  const position = asId(event.position);
  const moved = await tx.run(sql`UPDATE dm_threads SET read_up_to = ${position}
    WHERE user_id = ${userId} AND conversation_id = ${conversationId} AND read_up_to < ${position}`);
  if (moved > 0) tx.emit({ kind: 'unread-changed', userId });
  return true;
}

const LISTED = pageQuery<DmEventRef, [UserId]>(
  `SELECT t.conversation_id, t.last_position, i.event_id FROM dm_threads t
    JOIN dm_inbox i ON i.user_id = t.user_id AND i.position = t.last_position WHERE t.user_id = ?`,
  't.last_position',
  (row) => ({ conversationId: asText(row.conversation_id), eventId: asId(row.event_id) }),
);

/** Lists the conversations of a user by their newest events, newest first. */
export function listThreads(db: Queryable, userId: UserId, request: PageRequest): Promise<Page<DmEventRef>> {
  return LISTED(db, [userId], request);
}

/** Returns the newest event of a conversation that the user sees; undefined without one. */
export const findNewestInThread = valueQuery<DmEventId, [userId: UserId, id: ConversationId]>(
  asId,
  `SELECT i.event_id FROM dm_threads t
  JOIN dm_inbox i ON i.user_id = t.user_id AND i.position = t.last_position
  WHERE t.user_id = ? AND t.conversation_id = ?`,
);

const UNREAD = `FROM dm_threads t
  JOIN dm_inbox i ON i.user_id = t.user_id AND i.conversation_id = t.conversation_id
    AND i.position > t.read_up_to AND i.type = 'MessageCreate'
  WHERE t.user_id = `;

/** Returns how many messages the user has not read, for each of these conversations with such. */
export const countUnreadIn = mapQuery<ConversationId, number, [UserId, readonly ConversationId[]]>(
  (row) => [asText(row.conversation_id), asNumber(row.n)],
  `SELECT t.conversation_id, COUNT(*) AS n ${UNREAD}? AND t.conversation_id IN ? GROUP BY t.conversation_id`,
);

/** Counts the messages in all conversations that the user has not read. */
export const countUnreadMessages = countQuery<[userId: UserId]>(
  `${UNREAD.slice('FROM '.length)}? AND t.last_position > t.read_up_to`,
);
