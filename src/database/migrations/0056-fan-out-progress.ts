import type { Migration } from './migration.js';

/** The progress of posts that go out together, in one row. Older builds use `served_to` of each post instead. */
export const fanOutProgress: Migration = {
  version: 56,
  name: 'fan-out-progress',
  oldestBuild: 55,
  statements: (ddl) => [
    `CREATE TABLE fan_out_progress
      (id ${ddl.idKey}, round BIGINT NOT NULL, up_to BIGINT NOT NULL, served_to BIGINT NOT NULL)`,
    'INSERT INTO fan_out_progress (id, round, up_to, served_to) VALUES (1, 0, -1, -1)',
    // The round that took the post.
    'ALTER TABLE pending_fan_outs ADD COLUMN round BIGINT',
  ],
};
