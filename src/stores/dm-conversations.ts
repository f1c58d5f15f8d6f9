import type { ConversationId } from '../core/direct-message.js';
import type { UserId } from '../core/ids.js';
import { asText, readIds } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';

import { list, sql } from '../database/sql.js';
import { edgeWriter } from './edges.js';
import { deleteBy } from '../database/table.js';

/** Conversations and their participants. Their events are in dm-events.ts. */

export interface NewConversation {
  readonly id: ConversationId;
  /** Only groups have a name. */
  readonly name?: string;
  readonly createdAtMs: number;
}

/** Stores a conversation without participants. Returns false and changes nothing if it exists. */
export async function insertConversation(tx: Tx, conversation: NewConversation): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO dm_conversations (id, name, created_at)
    VALUES (${conversation.id}, ${conversation.name}, ${conversation.createdAtMs})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/**
 * Locks a conversation until the transaction ends, as `lockUsers` does: its participants, and so the recipients of a
 * message, cannot change. Returns false if there is no such conversation.
 */
export async function lockConversation(tx: Tx, id: ConversationId): Promise<boolean> {
  return (await tx.run(sql`UPDATE dm_conversations SET created_at = created_at WHERE id = ${id}`)) === 1;
}

/** Deletes a conversation without participants. Its events are deleted with the inboxes that hold them. */
export const deleteConversation = deleteBy<ConversationId>('id', 'dm_conversations');

/** Returns the conversations that are stored. */
export async function conversationsAmong(
  db: Queryable,
  ids: readonly ConversationId[],
): Promise<Set<ConversationId>> {
  if (ids.length === 0) return new Set();
  const rows = await db.all(sql`SELECT id FROM dm_conversations WHERE id IN ${list(ids)}`);
  return new Set(rows.map((row) => asText(row.id) as ConversationId));
}

const PARTICIPANTS = edgeWriter<ConversationId, UserId>(
  ['dm_participants', 'conversation_id', 'user_id'],
  ['dm_memberships', 'conversation_id', 'user_id'],
);

export const insertParticipant = PARTICIPANTS.insert;
export const deleteParticipant = PARTICIPANTS.delete;

export async function isParticipant(db: Queryable, id: ConversationId, userId: UserId): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS found FROM dm_memberships WHERE user_id = ${userId} AND conversation_id = ${id}`);
  return row !== undefined;
}

/** Returns the participants of a conversation, ordered by id. */
export function listParticipants(db: Queryable, id: ConversationId): Promise<UserId[]> {
  return readIds(
    db,
    sql`
    SELECT user_id AS id FROM dm_participants WHERE conversation_id = ${id} ORDER BY user_id`,
  );
}

/** Returns up to `limit` conversations of the user, ordered by id. */
export async function listConversationIds(
  db: Queryable,
  userId: UserId,
  limit: number,
): Promise<ConversationId[]> {
  const rows = await db.all(sql`
    SELECT conversation_id FROM dm_memberships WHERE user_id = ${userId} ORDER BY conversation_id LIMIT ${limit}`);
  return rows.map((row) => asText(row.conversation_id) as ConversationId);
}
