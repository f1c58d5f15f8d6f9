import type { ConversationId } from '../core/direct-message.js';
import type { UserId } from '../core/ids.js';
import { asText, asId, asNumber, asOptionalText } from '../database/sql.js';
import { edgeWriter } from './edges.js';
import { defineTable, deleteBy, existsQuery, groupQuery, listQuery, rowChange } from '../database/table.js';

/** Conversations and their participants. Their events are in dm-events.ts. */

interface Conversation {
  readonly id: ConversationId;
  /** Only groups have a name. */
  readonly name?: string;
  readonly createdAtMs: number;
}

const CONVERSATIONS = defineTable<Conversation, ConversationId>('dm_conversations', 'id', {
  id: ['id', asText],
  name: ['name', asOptionalText],
  createdAtMs: ['created_at', asNumber],
});

/** Stores a conversation without participants. Returns false and changes nothing if it exists. */
export const insertConversation = CONVERSATIONS.insertNew;

/** Returns the stored conversations among `ids`, by id. */
export const findConversations = CONVERSATIONS.findAmong;

/**
 * Locks a conversation until the transaction ends, as `lockUsers` does: its participants, and so the recipients of a
 * message, cannot change. Returns false if there is no such conversation.
 */
export const lockConversation = rowChange<[id: ConversationId]>(
  'UPDATE dm_conversations SET created_at = created_at WHERE id = ?',
);

/** Deletes a conversation without participants. Its events are deleted with the inboxes that hold them. */
export const deleteConversation = deleteBy<ConversationId>('id', 'dm_conversations');

const PARTICIPANTS = edgeWriter<ConversationId, UserId>(
  ['dm_participants', 'conversation_id', 'user_id'],
  ['dm_memberships', 'conversation_id', 'user_id'],
);

export const insertParticipant = PARTICIPANTS.insert;
export const deleteParticipant = PARTICIPANTS.delete;

export const isParticipant = existsQuery<[id: ConversationId, userId: UserId]>(
  'SELECT 1 FROM dm_memberships WHERE conversation_id = ? AND user_id = ?',
);

/** Returns the participants of a conversation, ordered by id. */
export const listParticipants = listQuery<UserId, [id: ConversationId]>(
  asId,
  'SELECT user_id FROM dm_participants WHERE conversation_id = ? ORDER BY user_id',
);

/** Returns the participants of each conversation, ordered by id. */
export const findParticipants = groupQuery<ConversationId, UserId, [readonly ConversationId[]]>(
  (row) => [asText<ConversationId>(row.conversation_id), asId(row.user_id)],
  `SELECT conversation_id, user_id FROM dm_participants WHERE conversation_id IN ?
  ORDER BY conversation_id, user_id`,
);

/** Returns up to `limit` conversations of the user, ordered by id. */
export const listConversationIds = listQuery<ConversationId, [userId: UserId, limit: number]>(
  asText,
  'SELECT conversation_id FROM dm_memberships WHERE user_id = ? ORDER BY conversation_id LIMIT ?',
);
