import type { Migration } from './migration.js';

/** The replies of each post, in order: the index for reading conversations downwards. */
export const replies: Migration = {
  version: 24,
  name: 'replies',
  statements: (ddl) => [
    `CREATE TABLE replies (
      post_id BIGINT NOT NULL,
      reply_id BIGINT NOT NULL,
      PRIMARY KEY (post_id, reply_id)
    )${ddl.clustered}`,
    `INSERT INTO replies (post_id, reply_id)
      SELECT in_reply_to_post_id, id FROM posts WHERE in_reply_to_post_id IS NOT NULL`,
  ],
};
