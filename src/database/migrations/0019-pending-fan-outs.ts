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
    // Home timeline entries that fan-out has not written yet: readers merge them, so that a post is visible
    // immediately. More than 500 pending posts occur only under extreme load; then only the newest are merged. CROSS
    // JOIN makes SQLite start with these few posts, not with the users that the reader follows.
    `CREATE VIEW pending_home_entries AS
      SELECT f.user_id, p.post_id, p.created_at
      FROM (SELECT post_id, author_id, created_at FROM pending_fan_outs ORDER BY post_id DESC LIMIT 500) p
      CROSS JOIN follows f
      WHERE f.target_id = p.author_id
        AND NOT EXISTS (SELECT 1 FROM home_entries e WHERE e.user_id = f.user_id AND e.post_id = p.post_id)`,
    // Rebuilding the timelines finds what these jobs would have written.
    "DELETE FROM jobs WHERE kind = 'fan-out-post'",
    'DELETE FROM home_timelines',
  ],
};
