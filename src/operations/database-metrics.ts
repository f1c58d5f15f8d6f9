import type { Clock } from '../core/clock.js';
import { counter, gauge, sample, type Metrics } from '../core/metrics.js';
import { BACKLOG_LIMIT, findOldestDueMs, readBacklog, readWebhookBacklog } from '../stores/backlog.js';
import type { DatabaseFigures, Engine } from '../database/engine.js';
import { listOpenLeases } from '../database/snowflake-workers.js';

export interface DatabaseMetricsDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The kinds of jobs that this server runs. */
  readonly jobKinds: readonly string[];
  /** How long ago the search index was last complete; see `createSearchIndexing`. */
  readonly indexAgeMs: () => number;
  /** How long a scheduled backup is overdue; absent without a schedule. */
  readonly backupOverdueMs?: () => Promise<number>;
}

/** Reads the metrics shared by all processes of the database. */
export async function readDatabaseMetrics(deps: DatabaseMetricsDeps): Promise<Metrics> {
  const { engine, clock, backupOverdueMs } = deps;
  return [
    ...(await readWork(deps)),
    ...(await readWebhookWork(deps)),
    ...figureMetrics(await engine.figures()),
    counter(
      'pipit_feed_position_total',
      'Position of the newest commit in the feed of changes: its rate is that of commits.',
      Number(await engine.feed.position()),
    ),
    gauge(
      'pipit_process_leases',
      'Processes that may make ids: those of all servers on the database.',
      (await listOpenLeases(engine, clock())).length,
    ),
    gauge(
      'pipit_backup_overdue_seconds',
      'How long the next scheduled backup is overdue; 0 without a schedule.',
      ((await backupOverdueMs?.()) ?? 0) / 1000,
    ),
  ];
}

async function readWork({ engine, clock, jobKinds, indexAgeMs }: DatabaseMetricsDeps): Promise<Metrics> {
  const nowMs = clock();
  const { jobs, fanOutPosts, fanOutSinceMs, searchPosts } = await readBacklog(engine);
  const dueMs = await findOldestDueMs(engine, jobKinds, nowMs);
  return [
    gauge(
      'pipit_jobs',
      'Jobs by state. Dead jobs have failed permanently: see pipit jobs.',
      Object.entries(jobs).map(([state, value]) => sample({ state }, value)),
    ),
    gauge(
      'pipit_job_lag_seconds',
      'How long the oldest job is due that no process runs; 0 if there is none.',
      secondsSince(nowMs, dueMs),
    ),
    gauge(
      'pipit_fan_out_pending_posts',
      `Posts that are not in all home timelines yet, counted up to ${BACKLOG_LIMIT}.`,
      fanOutPosts,
    ),
    gauge(
      'pipit_fan_out_lag_seconds',
      'Age of the oldest of these posts.',
      secondsSince(nowMs, fanOutSinceMs),
    ),
    gauge(
      'pipit_search_index_pending_posts',
      `Posts waiting for the search index, counted up to ${BACKLOG_LIMIT}.`,
      searchPosts,
    ),
    gauge(
      'pipit_search_index_lag_seconds',
      'Time since the search index was last complete; 0 if it is complete.',
      searchPosts === 0 ? 0 : indexAgeMs() / 1000,
    ),
  ];
}

async function readWebhookWork({ engine, clock }: DatabaseMetricsDeps): Promise<Metrics> {
  const nowMs = clock();
  const { deliveries, failingLanes, failingSinceMs, undispatchedSinceMs } = await readWebhookBacklog(engine);
  return [
    gauge(
      'pipit_webhook_waiting_deliveries',
      `Deliveries that wait, counted up to ${BACKLOG_LIMIT}.`,
      deliveries,
    ),
    gauge('pipit_webhook_failing_lanes', 'Subscriptions of webhooks whose deliveries fail.', failingLanes),
    gauge(
      'pipit_webhook_failing_seconds',
      'How long the first of these fails; after a day its webhook receives no more.',
      secondsSince(nowMs, failingSinceMs),
    ),
    gauge(
      'pipit_webhook_dispatch_lag_seconds',
      'Age of the oldest change that was not turned into deliveries.',
      secondsSince(nowMs, undispatchedSinceMs),
    ),
  ];
}

function figureMetrics({ bytes, connections, logBytes }: DatabaseFigures): Metrics {
  return [
    gauge('pipit_database_size_bytes', 'Size of the database with its indexes.', bytes),
    ...(logBytes === undefined
      ? []
      : [gauge('pipit_database_log_bytes', 'Size of the write-ahead log of SQLite.', logBytes)]),
    ...(connections === undefined
      ? []
      : [
          gauge(
            'pipit_database_connections',
            'Connections to the database, including those of other programs.',
            connections,
          ),
        ]),
  ];
}

function secondsSince(nowMs: number, sinceMs: number | undefined): number {
  return sinceMs === undefined ? 0 : Math.max(0, nowMs - sinceMs) / 1000;
}
