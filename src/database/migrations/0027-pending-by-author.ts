import type { Migration } from './migration.js';

/** The pending home entries of a reader, found by the authors that the reader follows. */
export const pendingByAuthor: Migration = {
  version: 27,
  name: 'pending-by-author',
  statements: () => [
    'CREATE INDEX pending_fan_outs_author ON pending_fan_outs (author_id, post_id)',
    'DROP VIEW pending_home_entries',
    // CROSS JOIN makes SQLite look up the pending posts of each followed author, not all pending posts. Without pending
    // posts nothing is looked up.
    `CREATE VIEW pending_home_entries AS
      SELECT f.user_id, p.post_id, p.created_at
      FROM (SELECT post_id FROM pending_fan_outs ORDER BY post_id LIMIT 1) oldest
      CROSS JOIN follows f CROSS JOIN pending_fan_outs p
      WHERE p.author_id = f.target_id
        AND (SELECT e.post_id FROM home_entries e WHERE e.user_id = f.user_id AND e.post_id = p.post_id) IS NULL`,
  ],
};
