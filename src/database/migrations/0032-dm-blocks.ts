import type { Migration } from './migration.js';

/** Users whose direct messages a user blocks. */
export const dmBlocks: Migration = {
  version: 32,
  name: 'dm-blocks',
  statements: (ddl) => [
    `CREATE TABLE dm_blocks (
      user_id BIGINT NOT NULL,
      target_id BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (user_id, target_id)
    )${ddl.clustered}`,
    'CREATE INDEX dm_blocks_by_target ON dm_blocks (target_id, user_id)',
  ],
};
