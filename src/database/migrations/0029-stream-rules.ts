import type { Migration } from './migration.js';

/** The rules of each app's filtered stream. */
export const streamRules: Migration = {
  version: 29,
  name: 'stream-rules',
  statements: (ddl) => [
    `CREATE TABLE stream_rules (
      id ${ddl.idKey},
      app_id BIGINT NOT NULL,
      value TEXT NOT NULL,
      tag TEXT,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX stream_rules_app ON stream_rules (app_id, id)',
  ],
};
