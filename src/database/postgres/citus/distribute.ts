import type { DistributeOptions, DistributionPlan, Placement } from '../../distribution.js';
import type { Connection } from '../connections.js';
import { missingPlacements, readCluster, requireCluster, type Cluster } from './cluster.js';
import { COMMIT_TABLES, MARK_COMMITS_MANAGED } from './commits.js';
import { onCoordinator, readsOf } from './connect.js';
import { firstOfGroup } from './placement.js';

/** The number of shards of each table: enough to spread over as many servers later, and for hot keys. */
const SHARDS = 32;

/** Does `Distribution.distribute` for a database with the Citus extension. */
export async function distribute(
  url: string,
  { isDryRun = false, shards = SHARDS, onStep }: DistributeOptions = {},
): Promise<DistributionPlan> {
  return onCoordinator(url, async (connection) => {
    const cluster = await readCluster(readsOf(connection));
    requireCluster(cluster);
    const plan = planFor(cluster, shards);
    if (isDryRun) return plan;
    await prepare(connection);
    for (const step of plan.steps) {
      onStep?.(step);
      await run(connection, step.statements);
    }
    return plan;
  });
}

function planFor(cluster: Cluster, shards: number): DistributionPlan {
  const steps = missingPlacements(cluster).map((placement) => ({
    placement,
    statements: statementsFor(placement, shards),
  }));
  const moved = new Set(steps.map(({ placement }) => placement.table));
  const local = [...cluster.tables].filter((table) => !moved.has(table) && !cluster.placed.has(table));
  return { version: cluster.version, workers: cluster.workers, steps, local: local.sort() };
}

/** Distributing copies the rows. Those of the coordinator stay behind, hidden, until they are removed. */
function statementsFor(placement: Placement, shards: number): string[] {
  const { table } = placement;
  const removal = `SELECT truncate_local_data_after_distributing_table('${table}')`;
  if (placement.kind === 'copied') return [`SELECT create_reference_table('${table}')`, removal];
  const first = firstOfGroup(placement.group);
  const where =
    first === table ? `colocate_with => 'none', shard_count => ${shards}` : `colocate_with => '${first}'`;
  return [`SELECT create_distributed_table('${table}', '${placement.key}', ${where})`, removal];
}

/** Creates what transactions over several servers need (commits.ts). */
async function prepare(connection: Connection): Promise<void> {
  await run(connection, COMMIT_TABLES);
  await run(connection, MARK_COMMITS_MANAGED);
}

/** Copying a large table takes long. */
const BEGIN = 'BEGIN READ WRITE; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

async function run(connection: Connection, statements: readonly string[]): Promise<void> {
  try {
    await connection.command([BEGIN, ...statements, 'COMMIT'].join(';\n'));
  } catch (error) {
    await connection.command('ROLLBACK');
    throw error;
  }
}
