import type { Migration } from './migration.js';

/** Makes reposts readable newest first, and lists reposts of a post's quotes with the quotes. */
export const repostLists: Migration = {
  version: 4,
  name: 'repost lists',
  statements: () => [
    'CREATE INDEX reposts_newest ON reposts (post_id, repost_id)',
    `INSERT INTO quotes (post_id, quote_id)
      SELECT q.post_id, r.repost_id FROM quotes q JOIN reposts r ON r.post_id = q.quote_id`,
  ],
};
