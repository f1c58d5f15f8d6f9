import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../connections.js';
import { asNumber, asOptionalId, asText, sql } from '../../sql.js';
import { StorageUnavailable, UnsupportedDatabase } from '../../errors.js';
import { readCluster, requireCluster } from './cluster.js';
import { onCoordinator, readsOf } from './connect.js';

const CHECKED_EVERY_MS = 500;

/** Does `Distribution.rebalance`. Citus moves the shards in the background. */
export async function rebalance(url: string, onProgress: (line: string) => void): Promise<number> {
  return onCoordinator(url, async (connection) => {
    await requireReady(connection);
    const job = (await runningJob(connection)) ?? (await startJob(connection));
    return job === undefined ? 0 : await awaitJob(connection, job, onProgress);
  });
}

async function requireReady(connection: Connection): Promise<void> {
  const cluster = await readCluster(readsOf(connection));
  requireCluster(cluster);
  if (!cluster.placed.has('posts'))
    throw new UnsupportedDatabase('the database is not distributed: run pipit cluster distribute');
  if (cluster.walLevel !== 'logical')
    throw new UnsupportedDatabase(
      `wal_level is ${cluster.walLevel}: set it to logical on every server and restart, so that writes go on meanwhile`,
    );
}

async function runningJob(connection: Connection): Promise<bigint | undefined> {
  const { rows } = await connection.run(sql`
    SELECT MAX(job_id) AS job FROM pg_dist_background_job
    WHERE job_type = 'rebalance' AND state IN ('scheduled', 'running', 'failing')`);
  return asOptionalId(rows[0]?.['job']);
}

/** Returns undefined if there is nothing to move. */
async function startJob(connection: Connection): Promise<bigint | undefined> {
  await connection.command('BEGIN READ WRITE');
  try {
    const { rows } = await connection.run(
      sql`SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical') AS job`,
    );
    await connection.command('COMMIT');
    return asOptionalId(rows[0]?.['job']);
  } catch (error) {
    await connection.command('ROLLBACK');
    throw error;
  }
}

async function awaitJob(
  connection: Connection,
  job: bigint,
  onProgress: (line: string) => void,
): Promise<number> {
  let told = -1;
  for (;;) {
    const { rows } = await connection.run(sql`
      SELECT j.state, COUNT(t.task_id) AS tasks, COUNT(*) FILTER (WHERE t.status = 'done') AS done,
        MAX(t.message) FILTER (WHERE t.status = 'error') AS message
      FROM pg_dist_background_job j LEFT JOIN pg_dist_background_task t ON t.job_id = j.job_id
      WHERE j.job_id = ${job} GROUP BY j.state`);
    const [state, done] = [asText(rows[0]?.['state']), asNumber(rows[0]?.['done'])];
    if (done !== told) onProgress(`moved ${done} of ${asNumber(rows[0]?.['tasks'])} groups of shards`);
    told = done;
    if (state === 'finished') return done;
    if (['failed', 'cancelled'].includes(state))
      throw new StorageUnavailable(`Citus gave up: ${state}: ${String(rows[0]?.['message'] ?? '')}`);
    await pause(CHECKED_EVERY_MS);
  }
}
