import type { Placement } from '../../distribution.js';
import { UnsupportedDatabase } from '../../errors.js';
import { type Finding, ok, warning } from '../../inspection.js';
import type { Queryable } from '../../queryable.js';
import { asNumber, asOptionalText, asText, sql } from '../../sql.js';
import type { StorageLog } from '../../storage-log.js';
import { PLACEMENTS } from './placement.js';

/** The first version of Citus that is known to work. */
const MIN_VERSION = 13;

/** The state of Citus in a database. */
export interface Cluster {
  /** The version of the extension, such as `13.2-1`; undefined without it. */
  readonly version: string | undefined;
  /** The servers that store shards. */
  readonly workers: readonly string[];
  readonly hasCoordinator: boolean;
  /** The tables that Citus has placed. */
  readonly placed: ReadonlySet<string>;
  /** The tables of the schema, without their partitions. */
  readonly tables: ReadonlySet<string>;
  /** The setting `wal_level`. */
  readonly walLevel: string;
}

/** Reads the state. */
export async function readCluster(db: Queryable): Promise<Cluster> {
  const row = await db.get(sql`SELECT current_setting('wal_level') AS wal_level,
    (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS version`);
  const version = asOptionalText(row?.['version']);
  const tables = await namesIn(
    db,
    sql`SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = CAST(current_schema() AS regnamespace)`,
  );
  const found = { version, walLevel: asText(row?.['wal_level']), tables: new Set(tables) };
  if (version === undefined) return { ...found, workers: [], hasCoordinator: false, placed: new Set() };
  const nodes = await db.all(sql`
    SELECT groupid AS node_group, nodename || ':' || nodeport AS name FROM pg_dist_node
    WHERE isactive AND noderole = 'primary' ORDER BY nodeid`);
  const placed = await namesIn(
    db,
    sql`SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
      WHERE c.relnamespace = CAST(current_schema() AS regnamespace)`,
  );
  return {
    ...found,
    workers: nodes.filter((node) => asNumber(node['node_group']) !== 0).map((node) => asText(node['name'])),
    hasCoordinator: nodes.some((node) => asNumber(node['node_group']) === 0),
    placed: new Set(placed),
  };
}

async function namesIn(db: Queryable, query: ReturnType<typeof sql>): Promise<string[]> {
  return (await db.all(query)).map((row) => asText(row['name']));
}

/**
 * Reports whether tables of a database with Citus are distributed. Logs a warning if some are not yet, as after an
 * upgrade that added tables.
 */
export async function hasDistributedTables(db: Queryable, log: StorageLog): Promise<boolean> {
  const cluster = await readCluster(db);
  if (!PLACEMENTS.some(({ table }) => cluster.placed.has(table))) return false;
  const missing = missingPlacements(cluster).map(({ table }) => table);
  if (missing.length > 0)
    log.warn({ tables: missing }, 'some tables are not distributed yet: run pipit cluster distribute');
  return true;
}

/** Returns the placements that are still to be made; all of them for an empty database, which gets its tables first. */
export function missingPlacements({ tables, placed }: Cluster): Placement[] {
  return PLACEMENTS.filter(({ table }) => (tables.size === 0 || tables.has(table)) && !placed.has(table));
}

/** Returns the finding of `pipit doctor` for a database with Citus. */
export function checkCluster(cluster: Cluster): Finding {
  const { placed, version, workers, walLevel } = cluster;
  const state = `Citus ${version} with ${workers.length} workers`;
  if (!PLACEMENTS.some(({ table }) => placed.has(table)))
    return warning('citus', `${state}, but no table is distributed: run pipit cluster distribute`);
  const missing = missingPlacements(cluster).map(({ table }) => table);
  if (missing.length > 0)
    return warning('citus', `not distributed yet: ${missing.join(', ')}: run pipit cluster distribute`);
  if (walLevel !== 'logical')
    return warning(
      'citus',
      `wal_level is ${walLevel}: shards cannot move while servers run; set it to logical`,
    );
  return ok('citus', state);
}

/** Throws UnsupportedDatabase, with what to do, for a database that cannot be distributed. */
export function requireCluster({ version, workers, hasCoordinator }: Cluster): void {
  if (version === undefined)
    throw new UnsupportedDatabase(
      'the database has no Citus: install Citus 13 or newer on every server, add citus to ' +
        'shared_preload_libraries, restart, and run CREATE EXTENSION citus in the database of each server',
    );
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new UnsupportedDatabase(
      `the database has Citus ${version}, Pipit needs ${MIN_VERSION} or newer: ` +
        'upgrade the packages of every server, restart, and run ALTER EXTENSION citus UPDATE on each',
    );
  if (!hasCoordinator)
    throw new UnsupportedDatabase(
      `the coordinator is unknown to its workers: run SELECT citus_set_coordinator_host('<host>', <port>)`,
    );
  if (workers.length === 0)
    throw new UnsupportedDatabase(
      `the cluster has no worker: run SELECT citus_add_node('<host>', <port>) on the coordinator for each`,
    );
}
