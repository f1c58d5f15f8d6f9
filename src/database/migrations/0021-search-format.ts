import type { Migration } from './migration.js';

/**
 * Records the format of the search index and raises it to 2: a repost is found by the place of its original. Affected
 * reposts wait in `search_pending`; searches of their time index them first, background jobs the rest.
 */
export const searchFormat: Migration = {
  version: 21,
  name: 'search-format',
  statements: () => [
    `CREATE TABLE search_format (
      id INTEGER PRIMARY KEY,
      version INTEGER NOT NULL
    )`,
    'INSERT INTO search_format (id, version) VALUES (1, 2)',
    `INSERT INTO search_pending (created_at, post_id, revision)
    SELECT p.created_at, p.id, 0
    FROM reposts r JOIN posts p ON p.id = r.repost_id LEFT JOIN posts o ON o.id = r.post_id
    WHERE o.place_id IS NOT NULL OR o.detail LIKE '%"coordinates"%'
      OR p.place_id IS NOT NULL OR p.detail LIKE '%"coordinates"%'
    ON CONFLICT (created_at, post_id) DO UPDATE SET revision = search_pending.revision + 1`,
  ],
};
