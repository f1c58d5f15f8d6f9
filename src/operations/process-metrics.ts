import { performance } from 'node:perf_hooks';
import { cpuUsage, memoryUsage, uptime } from 'node:process';
import { createHistogram, type MetricFamily, type Metrics } from '../core/metrics.js';

const SAMPLE_INTERVAL_MS = 20;
const DELAY_BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

export interface ProcessMetrics {
  collect(): Metrics;
  stop(): void;
}

/** Measures this process. Names without `pipit_` are those of common Node dashboards. */
export function startProcessMetrics(): ProcessMetrics {
  const delays = createHistogram(DELAY_BOUNDS);
  let expectedMs = performance.now() + SAMPLE_INTERVAL_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delays.observe(Math.max(0, nowMs - expectedMs) / 1000);
    expectedMs = nowMs + SAMPLE_INTERVAL_MS;
  }, SAMPLE_INTERVAL_MS).unref();
  return {
    collect: () => [
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
