import type { Migration } from './migration.js';

/** Home timelines, and the keys by which all timelines are read. */
export const timelines: Migration = {
  version: 3,
  name: 'timelines',
  statements: (ddl) => [
    // Times beside ids, since the id of an imported or declared post need not contain its time.
    ...['user_posts', 'mentions'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0`,
      `UPDATE ${table} SET created_at = COALESCE((SELECT p.created_at FROM posts p WHERE p.id = ${table}.post_id), 0)`,
    ]),
    // A warm home timeline: new posts are written into it. is_built: earlier posts are written too. revision:
    // incremented by every writer of an author's posts, which serializes them.
    `CREATE TABLE home_timelines (
      user_id ${ddl.idKey},
      is_built INTEGER NOT NULL,
      revision BIGINT NOT NULL,
      read_at BIGINT NOT NULL
    )`,
    `CREATE TABLE home_entries (
      user_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      author_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (user_id, post_id)
    )${ddl.clustered}`,
    // Authors with too many followers for fan-out: their posts are merged at read time. is_ready: large_follows
    // contains all followers.
    `CREATE TABLE large_authors (
      user_id ${ddl.idKey},
      is_ready INTEGER NOT NULL
    )`,
    `CREATE TABLE large_follows (
      user_id BIGINT NOT NULL,
      author_id BIGINT NOT NULL,
      PRIMARY KEY (user_id, author_id)
    )${ddl.clustered}`,
    'CREATE INDEX jobs_kind ON jobs (kind, id)',
  ],
};
