import type { Migration } from './migration.js';

/**
 * Conversations and their events, keyed by conversation, and for each user the conversations and the visible events.
 */
export const directMessages: Migration = {
  version: 7,
  name: 'direct-messages',
  statements: (ddl) => [
    `CREATE TABLE dm_conversations (
      id TEXT PRIMARY KEY,
      name TEXT,
      created_at BIGINT NOT NULL
    )${ddl.clustered}`,
    `CREATE TABLE dm_participants (
      conversation_id TEXT NOT NULL,
      user_id BIGINT NOT NULL,
      PRIMARY KEY (conversation_id, user_id)
    )${ddl.clustered}`,
    `CREATE TABLE dm_memberships (
      user_id BIGINT NOT NULL,
      conversation_id TEXT NOT NULL,
      PRIMARY KEY (user_id, conversation_id)
    )${ddl.clustered}`,
    `CREATE TABLE dm_events (
      conversation_id TEXT NOT NULL,
      id BIGINT NOT NULL,
      type TEXT NOT NULL,
      sender_id BIGINT,
      created_at BIGINT NOT NULL,
      text TEXT,
      detail TEXT NOT NULL,
      PRIMARY KEY (conversation_id, id)
    )${ddl.clustered}`,
    // The events visible to a user. position: a snowflake of the event's time; the event's own id unless a world file
    // chose that id.
    `CREATE TABLE dm_inbox (
      user_id BIGINT NOT NULL,
      position BIGINT NOT NULL,
      event_id BIGINT NOT NULL,
      conversation_id TEXT NOT NULL,
      type TEXT NOT NULL,
      PRIMARY KEY (user_id, position)
    )${ddl.clustered}`,
    'CREATE UNIQUE INDEX dm_inbox_event ON dm_inbox (user_id, event_id)',
    // Covers all columns that lists read; otherwise planners scan the whole inbox for one conversation.
    'CREATE INDEX dm_inbox_conversation ON dm_inbox (user_id, conversation_id, position, type, event_id)',
  ],
};
