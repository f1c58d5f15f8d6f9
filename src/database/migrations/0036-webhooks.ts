import type { Migration } from './migration.js';

/**
 * The webhooks of apps, what is delivered to them, and how far the feed has been read for them. `ended_at` is 0 and
 * `position` -1 until there is one.
 */
export const webhooks: Migration = {
  version: 36,
  name: 'webhooks',
  statements: (ddl) => [
    `CREATE TABLE webhooks (
      id ${ddl.idKey},
      app_id BIGINT NOT NULL,
      url TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      is_valid BIGINT NOT NULL,
      invalid_reason TEXT,
      checked_at BIGINT NOT NULL,
      check_error TEXT,
      failing_since BIGINT
    )`,
    'CREATE INDEX webhooks_by_app ON webhooks (app_id, id)',
    `CREATE TABLE webhook_links (
      webhook_id ${ddl.idKey},
      app_id BIGINT NOT NULL,
      fields TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE webhook_deliveries (
      id ${ddl.idKey},
      webhook_id BIGINT NOT NULL,
      subscription TEXT NOT NULL,
      body TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      is_copy BIGINT NOT NULL,
      attempts BIGINT NOT NULL,
      tried_at BIGINT,
      status BIGINT,
      error TEXT,
      ended_at BIGINT NOT NULL,
      is_delivered BIGINT NOT NULL
    )`,
    'CREATE INDEX webhook_deliveries_by_lane ON webhook_deliveries (webhook_id, subscription, ended_at, id)',
    'CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id)',
    'CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at)',
    `CREATE TABLE webhook_lanes (
      webhook_id BIGINT NOT NULL,
      subscription TEXT NOT NULL,
      due_at BIGINT NOT NULL,
      failures BIGINT NOT NULL,
      failing_since BIGINT,
      PRIMARY KEY (webhook_id, subscription)
    )${ddl.clustered}`,
    'CREATE INDEX webhook_lanes_by_due ON webhook_lanes (due_at)',
    `CREATE TABLE webhook_dispatch (
      id ${ddl.idKey},
      position BIGINT NOT NULL,
      holder BIGINT,
      held_until BIGINT NOT NULL,
      last_delivery BIGINT NOT NULL
    )`,
    'INSERT INTO webhook_dispatch (id, position, holder, held_until, last_delivery) VALUES (1, -1, NULL, 0, 0)',
  ],
};
