import type { Migration } from './migration.js';

/** The notifications of users, in groups, and how far they have read them; those of before are lost. */
export const groupedNotifications: Migration = {
  version: 45,
  name: 'grouped-notifications',
  statements: (ddl) => [
    'DROP TABLE notifications',
    'DROP TABLE notification_reads',
    // post_id: 0 for follows and requests. A group contains the events from first_key to last_key, whose users the
    // tables of edges name. opened_after: the position read when the group began.
    `CREATE TABLE notifications (
      user_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      kind INTEGER NOT NULL,
      opened_after BIGINT NOT NULL,
      first_key BIGINT NOT NULL,
      last_key BIGINT NOT NULL,
      PRIMARY KEY (user_id, post_id, kind, opened_after)
    )${ddl.clustered}`,
    'CREATE INDEX notifications_newest ON notifications (user_id, last_key)',
    `CREATE TABLE notification_reads (
      user_id ${ddl.idKey},
      up_to BIGINT NOT NULL
    )`,
  ],
};
