import type { Isolation } from '../../engine.js';

/** Held by each body that is `serializable`: see `beginOnCluster`. */
const TURNS = 'cluster_turns';
/** A table without rows that Citus knows: see `COMMIT_ON_CLUSTER`. */
const COMMITS = 'cluster_commits';

/** The statements that create both tables. They are not in the schema of databases on one server. */
export const COMMIT_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS ${TURNS} (id INTEGER PRIMARY KEY)`,
  `CREATE TABLE IF NOT EXISTS ${COMMITS} (id INTEGER PRIMARY KEY)`,
];

/** Makes Citus plan the statements on the table. */
export const MARK_COMMITS_MANAGED: readonly string[] = [
  `SELECT citus_add_local_table_to_metadata('${COMMITS}')
    WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = CAST('${COMMITS}' AS regclass))`,
];

/**
 * Returns the statements that begin a transaction over several servers.
 *
 * Each server finds conflicts among its own rows only: two bodies that each read on one server what the other changes on
 * another would both commit. So `serializable` bodies take turns. LOCK TABLE does not take a snapshot, so a body sees
 * what the one before it committed.
 */
export function beginOnCluster(isolation: Isolation, level: string): string {
  const begin = `BEGIN ISOLATION LEVEL ${level} READ WRITE`;
  return isolation === 'serializable' ? `${begin}; LOCK TABLE ${TURNS} IN EXCLUSIVE MODE` : begin;
}

/**
 * Commits on all servers or on none. Citus prepares a transaction only if it writes on several servers that it knows
 * of; a change of a table that it does not manage, such as the feed, would be committed after that of the worker, or not
 * at all. A statement on a managed table of the coordinator makes it prepare.
 */
export const COMMIT_ON_CLUSTER = `DELETE FROM ${COMMITS} WHERE id = 0; COMMIT`;
