import type { Migration } from './migration.js';

/** For each user the conversations with events, the newest event in each, and the last one that the user has read. */
export const dmThreads: Migration = {
  version: 43,
  name: 'dm-threads',
  statements: (ddl) => [
    // Positions are those of dm_inbox.
    `CREATE TABLE dm_threads (
      user_id BIGINT NOT NULL,
      conversation_id TEXT NOT NULL,
      last_position BIGINT NOT NULL,
      read_up_to BIGINT NOT NULL,
      PRIMARY KEY (user_id, conversation_id)
    )${ddl.clustered}`,
    'CREATE INDEX dm_threads_newest ON dm_threads (user_id, last_position)',
    `INSERT INTO dm_threads (user_id, conversation_id, last_position, read_up_to)
     SELECT user_id, conversation_id, MAX(position), MAX(position) FROM dm_inbox
     GROUP BY user_id, conversation_id`,
  ],
};
