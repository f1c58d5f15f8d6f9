import type { Migration } from './migration.js';

/** The id range of indexed posts whose ids do not contain their time, so that searches need not guess. */
export const searchUntimed: Migration = {
  version: 15,
  name: 'search-untimed',
  statements: (ddl) => [
    ...ddl.searchReset,
    // While the range is empty, the lowest id is above the highest.
    `CREATE TABLE search_untimed (
      id INTEGER PRIMARY KEY,
      lowest_id BIGINT NOT NULL,
      highest_id BIGINT NOT NULL
    )`,
    // Snowflakes start at 2^34 and count from 1288834974657 ms; post times have a resolution of one second.
    `INSERT INTO search_untimed (id, lowest_id, highest_id)
    SELECT 1, COALESCE(MIN(id), 9223372036854775807), COALESCE(MAX(id), -1) FROM posts
    WHERE id < 17179869184 OR ((id >> 22) + 1288834974657) / 1000 <> created_at / 1000`,
  ],
};
