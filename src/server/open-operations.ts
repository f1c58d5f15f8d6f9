import { performance } from 'node:perf_hooks';
import { Answer } from '../http/answer.js';
import type { AnyEndpoint } from '../api/endpoint.js';
import type { RequestObserver } from '../http/request-listeners.js';
import type { PlainRoute } from '../http/plain-route.js';
import { fileBesideDatabase, type Backend } from './backend.js';
import type { Config } from './config.js';
import type { CollectMetrics } from '../core/metrics.js';
import { readDatabaseMetrics } from '../operations/database-metrics.js';
import { healthRoutes, createReadiness } from '../operations/readiness.js';
import { startMetrics, type MetricsPeers, type ServerMetrics } from '../operations/metrics.js';
import { serveMetrics, type MetricsServer } from '../operations/metrics-server.js';
import { metricsPages, type MetricsPage } from '../operations/metrics-pages.js';
import { createRequestLog } from '../operations/request-log.js';
import { serverChecks } from '../operations/server-checks.js';
import { pipitVersion } from './pipit-version.js';
import { listenRefused } from './port.js';
import type { StorageLog } from '../database/storage-log.js';

/** The log of operations; requests are logged if `info` exists. */
export interface OperationsLog extends StorageLog {
  info?(fields: object, message: string): void;
}

export interface OperationsDeps {
  readonly backend: Backend;
  readonly log: OperationsLog;
  readonly endpoints: readonly AnyEndpoint[];
  readonly dataFolder?: string;
  /** Absent for a single process. */
  readonly metricsPeers?: MetricsPeers;
  readonly jobKinds: readonly string[];
  /** See `DatabaseMetricsDeps`. */
  readonly indexAgeMs: () => number;
  readonly backupOverdueMs?: () => Promise<number>;
  /** The parts of the server that have metrics, besides the database. */
  readonly measured: readonly CollectMetrics[];
}

/** Creates health checks, and request log and metrics as configured. */
export function openOperations(config: Config, deps: OperationsDeps) {
  const { metrics: place } = config;
  const metrics = place === 'off' ? undefined : openMetrics(deps);
  const pages = metrics ? metricsPages(metrics) : [];
  const health = openReadiness(config, deps);
  let server: MetricsServer | undefined;
  let isStopping = false;
  return {
    health,
    /** Makes `/readyz` say that the server stops, so that a balancer sends it no more requests. */
    leave: () => {
      isStopping = true;
    },
    routes: [...healthRoutes(health, () => isStopping), ...(place === 'public' ? pages.map(routeOf) : [])],
    observers: [...(metrics ? [metrics] : []), ...openRequestLog(config, deps)],
    /** Listens if metrics have a separate address. Throws ListenRefused. */
    listen: async () => {
      if (!metrics || typeof place === 'string') return;
      try {
        server = await serveMetrics(place, pages);
      } catch (error) {
        throw listenRefused(place, error);
      }
    },
    close: async () => {
      metrics?.stop();
      await server?.close();
    },
  };
}

const LEVELS_WITHOUT_INFO: ReadonlySet<string> = new Set(['fatal', 'error', 'warn', 'silent']);
const LEVELS_WITH_FORMS: ReadonlySet<string> = new Set(['debug', 'trace']);

function openRequestLog(
  { requestLog: mode, logLevel }: Config,
  { log, endpoints }: OperationsDeps,
): RequestObserver[] {
  if (mode === 'off' || log.info === undefined || LEVELS_WITHOUT_INFO.has(logLevel)) return [];
  const showsForms = LEVELS_WITH_FORMS.has(logLevel);
  const info = log.info.bind(log);
  return [createRequestLog({ info, mode, endpoints, showsForms, nowMs: () => performance.now() })];
}

function openReadiness(
  { database, media }: Config,
  { backend: { engine, clock }, log, dataFolder, jobKinds }: OperationsDeps,
): ReturnType<typeof createReadiness> {
  const beside = fileBesideDatabase(database, '.', dataFolder);
  const mediaFolder = media?.kind === 'folder' ? media.folder : undefined;
  const folders = [beside, mediaFolder].filter((folder) => folder !== undefined);
  const checks = serverChecks({ engine, clock, folders, jobKinds });
  return createReadiness({ checks, log, nowMs: () => performance.now() });
}

function openMetrics({
  backend,
  log,
  metricsPeers: peers,
  indexAgeMs,
  backupOverdueMs,
  jobKinds,
  measured,
}: OperationsDeps): ServerMetrics {
  const { engine, clock } = backend;
  return startMetrics({
    peers,
    version: pipitVersion(),
    parts: [backend.collectStorageMetrics, ...measured],
    listSlowStatements: backend.listSlowStatements,
    readShared: () => readDatabaseMetrics({ engine, clock, jobKinds, indexAgeMs, backupOverdueMs }),
    log,
    nowMs: () => performance.now(),
  });
}

function routeOf({ path, read }: MetricsPage): PlainRoute {
  return {
    method: 'GET',
    path,
    skipsDatabase: true,
    handler: async ({ headers }) => {
      const { type, text } = await read(headers.accept);
      return new Answer(200, text, { 'content-type': type });
    },
  };
}
