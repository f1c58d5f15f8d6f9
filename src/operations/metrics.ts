import { labelled, mergeMetrics, type CollectMetrics, type Metrics } from '../core/metrics.js';
import { formatMetrics, type MetricsFormat } from './metrics-text.js';
import { mergeSlowStatements, type SlowStatement } from './slow-statements.js';
import { startProcessMetrics } from './process-metrics.js';
import { createRequestMetrics } from './request-metrics.js';

/** What a process tells about itself. */
export interface ProcessReport {
  readonly metrics: Metrics;
  readonly slowStatements: readonly SlowStatement[];
}

/** Exchanges reports with the other workers of the server. */
export interface MetricsPeers {
  /** The label of this process. */
  readonly worker: string;
  /** Sends the result of `collect` to the others when they ask. */
  share(collect: () => ProcessReport): void;
  /** Returns the report of each worker, including this process. Rejects if they cannot be asked. */
  gather(): Promise<readonly ProcessReport[]>;
}

export interface MetricsDeps {
  /** Absent for a single process. */
  readonly peers?: MetricsPeers;
  /** The version of Pipit. */
  readonly version: string;
  /** The other parts of this process that have metrics. */
  readonly parts: readonly CollectMetrics[];
  readonly listSlowStatements: () => readonly SlowStatement[];
  /** Reads the metrics that do not depend on the process; called once for all workers. */
  readonly readShared: () => Promise<Metrics>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

export type ServerMetrics = ReturnType<typeof startMetrics>;

const KEPT_MS = 1_000;

/** Starts measuring. Each worker's metrics have its label: in a sum, a replaced worker would look like a jump. */
export function startMetrics({
  peers,
  version,
  parts,
  listSlowStatements,
  readShared,
  log,
  nowMs,
}: MetricsDeps) {
  const requests = createRequestMetrics();
  const own = startProcessMetrics(version);
  const worker = peers?.worker ?? '0';
  const collectors = [requests.collect, own.collect, ...parts];
  const report = (): ProcessReport => ({
    metrics: labelled(
      collectors.flatMap((each) => each()),
      { worker },
    ),
    slowStatements: listSlowStatements(),
  });
  peers?.share(report);
  const gather = () => orElse(() => peers?.gather() ?? Promise.resolve([report()]), [report()], log);
  const readAll = async (): Promise<Metrics> => {
    const [processes, shared] = await Promise.all([gather(), orElse(readShared, [], log)]);
    return mergeMetrics([...processes.map(({ metrics }) => metrics), shared]);
  };
  let kept: { readonly metrics: Promise<Metrics>; readonly untilMs: number } | undefined;
  const readKept = (): Promise<Metrics> => {
    if (!kept || nowMs() >= kept.untilMs) kept = { metrics: readAll(), untilMs: nowMs() + KEPT_MS };
    return kept.metrics;
  };
  return {
    begin: requests.begin,
    observe: requests.observe,
    /** Returns all metrics of the server as text, at most a second old. */
    text: async (format: MetricsFormat) => formatMetrics(await readKept(), format),
    /** Returns the statements that took long in all workers, those that took the most time first. */
    slowStatements: async () =>
      mergeSlowStatements((await gather()).flatMap(({ slowStatements }) => slowStatements)),
    stop: own.stop,
  };
}

/** Reads metrics or returns `otherwise`. Metrics matter most during failures, so missing ones are left out. */
async function orElse<T>(read: () => Promise<T>, otherwise: T, log: MetricsDeps['log']): Promise<T> {
  try {
    return await read();
  } catch (err) {
    log.warn({ err }, 'some metrics could not be read');
    return otherwise;
  }
}
