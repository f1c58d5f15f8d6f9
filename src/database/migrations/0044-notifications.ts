import type { Migration } from './migration.js';

/** What others did that concerns a user, and up to which of these the user has read. */
export const notifications: Migration = {
  version: 44,
  name: 'notifications',
  statements: (ddl) => [
    // kind: an index of NOTIFICATION_KINDS. post_id: 0 for follows.
    `CREATE TABLE notifications (
      user_id BIGINT NOT NULL,
      id BIGINT NOT NULL,
      kind INTEGER NOT NULL,
      actor_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      PRIMARY KEY (user_id, id)
    )${ddl.clustered}`,
    'CREATE INDEX notifications_actor ON notifications (actor_id)',
    `CREATE TABLE notification_reads (
      user_id ${ddl.idKey},
      read_up_to BIGINT NOT NULL
    )`,
  ],
};
