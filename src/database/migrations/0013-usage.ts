import type { Migration } from './migration.js';

/** The posts returned to each project today, so that none counts twice a day, and their number per day. */
export const usage: Migration = {
  version: 13,
  name: 'usage',
  statements: (ddl) => [
    `CREATE TABLE usage_posts (
      app_id BIGINT NOT NULL,
      day INTEGER NOT NULL,
      post_id BIGINT NOT NULL,
      PRIMARY KEY (app_id, day, post_id)
    )${ddl.clustered}`,
    `CREATE TABLE usage_days (
      app_id BIGINT NOT NULL,
      day INTEGER NOT NULL,
      posts BIGINT NOT NULL,
      PRIMARY KEY (app_id, day)
    )${ddl.clustered}`,
  ],
};
