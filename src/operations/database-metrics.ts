import type { Clock } from '../core/clock.js';
import { gauge, sample, type Metrics } from '../core/metrics.js';
import { BACKLOG_LIMIT, readBacklog } from '../stores/backlog.js';
import type { Engine } from '../database/engine.js';

export interface DatabaseMetricsDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  /** How long ago the search index was last complete; see `createSearchIndexing`. */
  readonly indexAgeMs: () => number;
}

/** Reads the metrics shared by all processes of the database. */
export async function readDatabaseMetrics({
  engine,
  clock,
  indexAgeMs,
}: DatabaseMetricsDeps): Promise<Metrics> {
  const { jobs, fanOutPosts, fanOutSinceMs, searchPosts } = await readBacklog(engine);
  const { bytes, connections } = await engine.figures();
  const fanOutLagMs = fanOutSinceMs === undefined ? 0 : Math.max(0, clock() - fanOutSinceMs);
  return [
    gauge(
      'pipit_jobs',
      'Jobs by state. Dead jobs have failed permanently: see pipit jobs.',
      Object.entries(jobs).map(([state, value]) => sample({ state }, value)),
    ),
    gauge(
      'pipit_fan_out_pending_posts',
      `Posts that are not in all home timelines yet, counted up to ${BACKLOG_LIMIT}.`,
      fanOutPosts,
    ),
    gauge('pipit_fan_out_lag_seconds', 'Age of the oldest of these posts.', fanOutLagMs / 1000),
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
    gauge('pipit_database_size_bytes', 'Size of the database with its indexes.', bytes),
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
