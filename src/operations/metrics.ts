import { labelled, mergeMetrics, type CollectMetrics, type Metrics } from '../core/metrics.js';
import { formatMetrics, type MetricsFormat } from './metrics-text.js';
import { startProcessMetrics } from './process-metrics.js';
import { createRequestMetrics } from './request-metrics.js';

/** Exchanges metrics with the other workers of the server. */
export interface MetricsPeers {
  /** The label of this process. */
  readonly worker: string;
  /** Sends the result of `collect` to the others when they ask. */
  share(collect: CollectMetrics): void;
  /** Returns the metrics of each worker, including this process. Rejects if they cannot be asked. */
  gather(): Promise<readonly Metrics[]>;
}

export interface MetricsDeps {
  /** Absent for a single process. */
  readonly peers?: MetricsPeers;
  /** The version of Pipit. */
  readonly version: string;
  /** The other parts of this process that have metrics. */
  readonly parts: readonly CollectMetrics[];
  /** Reads the metrics that do not depend on the process; called once for all workers. */
  readonly readShared: () => Promise<Metrics>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

export type ServerMetrics = ReturnType<typeof startMetrics>;

const KEPT_MS = 1_000;

/** Starts measuring. Each worker's metrics have its label: in a sum, a replaced worker would look like a jump. */
export function startMetrics({ peers, version, parts, readShared, log, nowMs }: MetricsDeps) {
  const requests = createRequestMetrics();
  const own = startProcessMetrics(version);
  const worker = peers?.worker ?? '0';
  const collectors = [requests.collect, own.collect, ...parts];
  const collect = (): Metrics =>
    labelled(
      collectors.flatMap((each) => each()),
      { worker },
    );
  peers?.share(collect);
  const readAll = async (): Promise<Metrics> => {
    const [processes, shared] = await Promise.all([
      orElse(() => peers?.gather() ?? Promise.resolve([collect()]), [collect()], log),
      orElse(readShared, [], log),
    ]);
    return mergeMetrics([...processes, shared]);
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
