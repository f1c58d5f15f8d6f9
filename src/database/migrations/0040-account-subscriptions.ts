import type { Migration } from './migration.js';

/** The users whose account activity goes to webhooks, found by webhook and by user. */
export const accountSubscriptions: Migration = {
  version: 40,
  name: 'account-subscriptions',
  statements: (ddl) => [
    `CREATE TABLE account_subscriptions (
      webhook_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      app_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (webhook_id, user_id)
    )${ddl.clustered}`,
    'CREATE INDEX account_subscriptions_user ON account_subscriptions (user_id)',
    'CREATE INDEX account_subscriptions_app ON account_subscriptions (app_id)',
  ],
};
