import type { Migration } from './migration.js';

/** Articles, drafts and published ones; `content` is JSON as sent. */
export const articles: Migration = {
  version: 38,
  name: 'articles',
  statements: (ddl) => [
    `CREATE TABLE articles (
      id ${ddl.idKey},
      author_id BIGINT NOT NULL,
      title TEXT NOT NULL,
      content TEXT NOT NULL,
      cover_media_id BIGINT,
      created_at BIGINT NOT NULL,
      post_id BIGINT
    )`,
    'CREATE INDEX articles_by_author ON articles (author_id, id)',
  ],
};
