import type { Migration } from './migration.js';

/** Posts that are to be written into home timelines, in a table of their own: jobs before. */
export const pendingFanOuts: Migration = {
  version: 19,
  name: 'pending-fan-outs',
  statements: (ddl) => [
    // served_to: the follower who was served last; followers are served in the order of their ids.
    `CREATE TABLE pending_fan_outs (
      post_id ${ddl.idKey},
      author_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      served_to BIGINT NOT NULL
    )`,
    // The entries that home timelines are waiting for: readers merge them in, so that a post is there at once. More than
    // 500 posts wait only in a storm; then the newest are merged. These few are looked at first, whomever the reader
    // follows: CROSS JOIN keeps SQLite from turning that round.
    `CREATE VIEW pending_home_entries AS
      SELECT f.user_id, p.post_id, p.created_at
      FROM (SELECT post_id, author_id, created_at FROM pending_fan_outs ORDER BY post_id DESC LIMIT 500) p
      CROSS JOIN follows f
      WHERE f.target_id = p.author_id
        AND NOT EXISTS (SELECT 1 FROM home_entries e WHERE e.user_id = f.user_id AND e.post_id = p.post_id)`,
    // What these jobs would have written is found when timelines are built anew.
    "DELETE FROM jobs WHERE kind = 'fan-out-post'",
    'DELETE FROM home_timelines',
  ],
};
