import type { Ddl } from '../engine.js';
import type { Migration } from './migration.js';

/** Lists with their members, followers and pins; each relation is stored at both ends. */
export const lists: Migration = {
  version: 6,
  name: 'lists',
  statements: (ddl) => [
    `CREATE TABLE lists (
      id ${ddl.idKey},
      owner_id BIGINT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      is_private INTEGER NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE list_counts (
      list_id ${ddl.idKey},
      members BIGINT NOT NULL,
      followers BIGINT NOT NULL
    )`,
    `CREATE TABLE owned_lists (
      user_id BIGINT NOT NULL,
      list_id BIGINT NOT NULL,
      PRIMARY KEY (user_id, list_id)
    )${ddl.clustered}`,
    ...edgeTable(ddl, 'list_members', 'list_id', 'user_id'),
    ...edgeTable(ddl, 'list_memberships', 'user_id', 'list_id'),
    ...edgeTable(ddl, 'list_followers', 'list_id', 'user_id'),
    ...edgeTable(ddl, 'followed_lists', 'user_id', 'list_id'),
    ...edgeTable(ddl, 'pinned_lists', 'user_id', 'list_id'),
    // The users whose pins are deleted with a List.
    `CREATE TABLE list_pins (
      list_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      PRIMARY KEY (list_id, user_id)
    )${ddl.clustered}`,
  ],
};

/**
 * Creates an edge table read by `owner`, newest first by edge id. Duplicates step 1: steps share no code, because
 * they never change.
 */
function edgeTable(ddl: Ddl, name: string, owner: string, other: string): string[] {
  return [
    `CREATE TABLE ${name} (
      ${owner} BIGINT NOT NULL,
      ${other} BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (${owner}, ${other})
    )${ddl.clustered}`,
    `CREATE INDEX ${name}_newest ON ${name} (${owner}, edge_id)`,
  ];
}
