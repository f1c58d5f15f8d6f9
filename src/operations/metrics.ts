import type { RequestObserver } from '../http/observe-requests.js';
import { formatMetrics, labelled, mergeMetrics, type Metrics } from '../core/metrics.js';
import { startProcessMetrics } from './process-metrics.js';
import { createRequestMetrics } from './request-metrics.js';

/** How a process learns what the other workers of its server measured. */
export interface MetricsCrew {
  /** The label of this process. */
  readonly worker: string;
  /** Tells the others what `collect` returns whenever they ask. */
  share(collect: () => Metrics): void;
  /** What each of them measured, this process included. Rejects when they cannot be asked. */
  gather(): Promise<readonly Metrics[]>;
}

export interface MetricsDeps {
  /** Absent for a process that is alone. */
  readonly crew?: MetricsCrew;
  /** What does not depend on the process; asked once, whoever asks for all. */
  readonly readShared: () => Promise<Metrics>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

export interface ServerMetrics {
  readonly observe: RequestObserver;
  /** All metrics of the server as text; at most a second old. */
  text(): Promise<string>;
  stop(): void;
}

const KEPT_MS = 1_000;

/** Starts measuring. Each worker's metrics have its label: summed, a replaced worker would look like a wild jump. */
export function startMetrics({ crew, readShared, log, nowMs }: MetricsDeps): ServerMetrics {
  const requests = createRequestMetrics();
  const own = startProcessMetrics();
  const worker = crew?.worker ?? '0';
  const collect = (): Metrics => labelled([...requests.collect(), ...own.collect()], { worker });
  crew?.share(collect);
  const readAll = async (): Promise<string> => {
    const [processes, shared] = await Promise.all([
      orElse(() => crew?.gather() ?? Promise.resolve([collect()]), [collect()], log),
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

/** Metrics are wanted most when something fails: what cannot be had is left out. */
async function orElse<T>(read: () => Promise<T>, otherwise: T, log: MetricsDeps['log']): Promise<T> {
  try {
    return await read();
  } catch (err) {
    log.warn({ err }, 'some metrics could not be read');
    return otherwise;
  }
}
