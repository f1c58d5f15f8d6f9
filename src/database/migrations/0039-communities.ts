import type { Migration } from './migration.js';

/** Communities with their members, and the words of their names and descriptions. */
export const communities: Migration = {
  version: 39,
  name: 'communities',
  statements: (ddl) => [
    `CREATE TABLE communities (
      id ${ddl.idKey},
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      join_policy TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE community_counts (
      community_id ${ddl.idKey},
      members BIGINT NOT NULL
    )`,
    `CREATE TABLE community_members (
      community_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (community_id, user_id)
    )${ddl.clustered}`,
    'CREATE INDEX community_members_by_user ON community_members (user_id, community_id)',
    `CREATE TABLE community_words (
      word TEXT NOT NULL,
      community_id BIGINT NOT NULL,
      PRIMARY KEY (word, community_id)
    )${ddl.clustered}`,
  ],
};
