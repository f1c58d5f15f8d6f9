import {
  formatMetrics,
  labelled,
  mergeMetrics,
  type Metrics,
  createHistogram,
  type MetricFamily,
} from '../core/metrics.js';
import { createRequestMetrics } from './request-metrics.js';
import { performance } from 'node:perf_hooks';
import { cpuUsage, memoryUsage, uptime } from 'node:process';

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
  /** Returns other metrics of this process. */
  readonly collectOwn: () => Metrics;
  /** Reads the metrics that do not depend on the process; called once for all workers. */
  readonly readShared: () => Promise<Metrics>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A monotonic clock. */
  readonly nowMs: () => number;
}

export type ServerMetrics = ReturnType<typeof startMetrics>;

const KEPT_MS = 1_000;

/** Starts measuring. Each worker's metrics have its label: in a sum, a replaced worker would look like a jump. */
export function startMetrics({ peers, collectOwn, readShared, log, nowMs }: MetricsDeps) {
  const requests = createRequestMetrics();
  const own = startProcessMetrics();
  const worker = peers?.worker ?? '0';
  const collect = (): Metrics =>
    labelled([...requests.collect(), ...own.collect(), ...collectOwn()], { worker });
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
    /** Returns all metrics of the server as text, at most a second old. */
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

const SAMPLE_INTERVAL_MS = 20;
const DELAY_BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

/** Measures this process. Names without `pipit_` are those of common Node dashboards. */
function startProcessMetrics() {
  const delays = createHistogram(DELAY_BOUNDS);
  let expectedMs = performance.now() + SAMPLE_INTERVAL_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delays.observe(Math.max(0, nowMs - expectedMs) / 1000);
    expectedMs = nowMs + SAMPLE_INTERVAL_MS;
  }, SAMPLE_INTERVAL_MS).unref();
  return {
    collect: (): Metrics => [
      {
        name: 'pipit_event_loop_delay_seconds',
        help: `How late a timer of ${SAMPLE_INTERVAL_MS} ms fires: how long requests wait for the process.`,
        type: 'histogram',
        samples: delays.samples({}),
      },
      ...usage(),
    ],
    stop: () => clearInterval(timer),
  };
}

function usage(): MetricFamily[] {
  const { user, system } = cpuUsage();
  const { rss, heapUsed, external } = memoryUsage();
  return [
    one('process_cpu_seconds_total', 'CPU time in user and system mode.', (user + system) / 1e6, 'counter'),
    one('process_start_time_seconds', 'When the process started.', Date.now() / 1000 - uptime()),
    one('process_resident_memory_bytes', 'Resident memory.', rss),
    one('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    one('nodejs_external_memory_bytes', 'Memory of buffers and bindings.', external),
  ];
}

function one(name: string, help: string, value: number, type: 'counter' | 'gauge' = 'gauge'): MetricFamily {
  return { name, help, type, samples: [{ labels: {}, value }] };
}
