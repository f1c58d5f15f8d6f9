import type { Migration } from './migration.js';

/** The subscriptions of apps to the activity of users, found by app and by the user of the filter. */
export const activitySubscriptions: Migration = {
  version: 35,
  name: 'activity-subscriptions',
  statements: (ddl) => [
    `CREATE TABLE activity_subscriptions (
      id ${ddl.idKey},
      app_id BIGINT NOT NULL,
      subscriber_id BIGINT,
      event_type TEXT NOT NULL,
      user_id BIGINT,
      keyword TEXT,
      direction TEXT,
      tag TEXT,
      webhook_id BIGINT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    'CREATE INDEX activity_subscriptions_app ON activity_subscriptions (app_id, id)',
    'CREATE INDEX activity_subscriptions_user ON activity_subscriptions (user_id, event_type)',
  ],
};
