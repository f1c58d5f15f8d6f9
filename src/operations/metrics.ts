import type { RequestObserver } from '../http/observe-requests.js';
import { formatMetrics, labelled, mergeMetrics, type Metrics } from '../core/metrics.js';
import { startProcessMetrics } from './process-metrics.js';
import { createRequestMetrics } from './request-metrics.js';

/** Exchanges metrics with the other workers of the server. */
export interface MetricsPeers {
  /** The label of this process. */
  readonly worker: string;
  /** Sends the result of `collect` to the others when they ask. */
  share(collect: () => Metrics): void;
  /** Returns the metrics of each worker, including this process. Rejects if they cannot be asked. */
  gather(): Promise<readonly Metrics[]>;
}

export interface MetricsDeps {
  /** Absent for a single process. */
  readonly peers?: MetricsPeers;
  /** Reads the metrics that do not depend on the process; called once for all workers. */
  readonly readShared: () => Promise<Metrics>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

export interface ServerMetrics {
  readonly observe: RequestObserver;
  /** Returns all metrics of the server as text, at most a second old. */
  text(): Promise<string>;
  stop(): void;
}

const KEPT_MS = 1_000;

/** Starts measuring. Each worker's metrics have its label: in a sum, a replaced worker would look like a jump. */
export function startMetrics({ peers, readShared, log, nowMs }: MetricsDeps): ServerMetrics {
  const requests = createRequestMetrics();
  const own = startProcessMetrics();
  const worker = peers?.worker ?? '0';
  const collect = (): Metrics => labelled([...requests.collect(), ...own.collect()], { worker });
  peers?.share(collect);
  const readAll = async (): Promise<string> => {
    const [processes, shared] = await Promise.all([
      orElse(() => peers?.gather() ?? Promise.resolve([collect()]), [collect()], log),
      orElse(readShared, [], log),
    ]);
    return formatMetrics(mergeMetrics([...processes, shared]));
  };
  let kept: { readonly text: Promise<string>; readonly untilMs: number } | undefined;
  return {
    observe: requests.observe,
    text: () => {
      if (!kept || nowMs() >= kept.untilMs) kept = { text: readAll(), untilMs: nowMs() + KEPT_MS };
      return kept.text;
    },
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
