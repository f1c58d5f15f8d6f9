import type { Migration } from './migration.js';

/** Counts the disk usage of each user's media. Older media are counted as far as their uploads are recorded. */
export const mediaUsage: Migration = {
  version: 25,
  name: 'media-usage',
  statements: (ddl) => [
    `CREATE TABLE media_bytes (
      media_id ${ddl.idKey},
      owner_id BIGINT NOT NULL,
      size_bytes BIGINT NOT NULL
    )`,
    `CREATE TABLE media_usage (
      user_id ${ddl.idKey},
      size_bytes BIGINT NOT NULL
    )`,
    `INSERT INTO media_bytes (media_id, owner_id, size_bytes)
      SELECT media_id, owner_id, total_bytes FROM media_uploads WHERE state <> 'failed'`,
    `INSERT INTO media_usage (user_id, size_bytes)
      SELECT owner_id, SUM(size_bytes) FROM media_bytes GROUP BY owner_id`,
  ],
};
