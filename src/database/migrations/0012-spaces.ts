import type { Migration } from './migration.js';

/** Spaces, their creators, title tokens, ticket buyers and shared posts. */
export const spaces: Migration = {
  version: 12,
  name: 'spaces',
  statements: (ddl) => [
    // detail: lists of users and topics, which are never searched.
    `CREATE TABLE spaces (
      id TEXT PRIMARY KEY,
      creator_id BIGINT NOT NULL,
      title TEXT NOT NULL,
      state TEXT NOT NULL,
      lang TEXT,
      is_ticketed INTEGER NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      scheduled_start BIGINT,
      started_at BIGINT,
      ended_at BIGINT,
      participants BIGINT NOT NULL,
      detail TEXT NOT NULL
    )${ddl.clustered}`,
    `CREATE TABLE created_spaces (
      user_id BIGINT NOT NULL,
      space_id TEXT NOT NULL,
      is_open INTEGER NOT NULL,
      PRIMARY KEY (user_id, space_id)
    )${ddl.clustered}`,
    // Title tokens of Spaces that have not ended.
    `CREATE TABLE space_tokens (
      token TEXT NOT NULL,
      space_id TEXT NOT NULL,
      PRIMARY KEY (token, space_id)
    )${ddl.clustered}`,
    'CREATE INDEX space_tokens_space ON space_tokens (space_id)',
    `CREATE TABLE space_buyers (
      space_id TEXT NOT NULL,
      user_id BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (space_id, user_id)
    )${ddl.clustered}`,
    'CREATE INDEX space_buyers_newest ON space_buyers (space_id, edge_id)',
    'CREATE INDEX space_buyers_user ON space_buyers (user_id)',
    `CREATE TABLE space_posts (
      space_id TEXT NOT NULL,
      post_id BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (space_id, post_id)
    )${ddl.clustered}`,
    'CREATE INDEX space_posts_newest ON space_posts (space_id, edge_id)',
  ],
};
