import type { Migration } from './migration.js';

/** Pending fan-outs in a table of their own instead of jobs. */
export const pendingFanOuts: Migration = {
  version: 19,
  name: 'pending-fan-outs',
  statements: (ddl) => [
    // served_to: the last follower served; followers are served in the order of their ids.
    `CREATE TABLE pending_fan_outs (
      post_id ${ddl.idKey},
      author_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      served_to BIGINT NOT NULL
    )`,
    // Rebuilding the timelines finds what these jobs would have written.
    "DELETE FROM jobs WHERE kind = 'fan-out-post'",
    'DELETE FROM home_timelines',
  ],
};
