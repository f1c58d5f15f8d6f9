import type { Migration } from './migration.js';

/** The pending home entries with a faster query. */
export const pendingHomeEntries: Migration = {
  version: 20,
  name: 'pending-home-entries',
  statements: () => [
    'DROP VIEW pending_home_entries',
    // Each pending post is looked up in the reader's rows by a subquery: a join could make the planner read everyone
    // that the reader follows.
    `CREATE VIEW pending_home_entries AS
      SELECT h.user_id, p.post_id, p.created_at
      FROM (SELECT post_id, author_id, created_at FROM pending_fan_outs ORDER BY post_id DESC LIMIT 500) p
      CROSS JOIN home_timelines h
      WHERE (SELECT f.target_id FROM follows f WHERE f.user_id = h.user_id AND f.target_id = p.author_id) IS NOT NULL
        AND (SELECT e.post_id FROM home_entries e WHERE e.user_id = h.user_id AND e.post_id = p.post_id) IS NULL`,
  ],
};
