import type { Migration } from './migration.js';

/** Home timeline entries that fan-out has not written yet: readers merge them, so that a post is visible at once. */
export const pendingOnOneShard: Migration = {
  version: 52,
  name: 'pending-on-one-shard',
  statements: () => [
    'DROP VIEW IF EXISTS pending_home_entries',
    // CROSS JOIN makes SQLite look up the pending posts of each followed author, not all pending posts; without any
    // nothing is looked up. The outer join, unlike a subquery for each row, tells the planner that the entries are those
    // of the same user: on Citus the whole statement goes to the shard of the user.
    `CREATE VIEW pending_home_entries AS
      SELECT f.user_id, p.post_id, p.created_at
      FROM (SELECT post_id FROM pending_fan_outs ORDER BY post_id LIMIT 1) oldest
      CROSS JOIN follows f CROSS JOIN pending_fan_outs p
      LEFT JOIN home_entries e ON e.user_id = f.user_id AND e.post_id = p.post_id
      WHERE p.author_id = f.target_id AND e.post_id IS NULL`,
  ],
};
