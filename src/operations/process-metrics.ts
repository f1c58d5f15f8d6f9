import { readdirSync, readFileSync } from 'node:fs';
import { constants, performance, PerformanceObserver } from 'node:perf_hooks';
import { cpuUsage, memoryUsage, uptime, versions } from 'node:process';
import { createHistogram, histogram, LabelledHistogram } from '../core/histogram.js';
import { counter, gauge, sample, type Metrics } from '../core/metrics.js';

const SAMPLE_INTERVAL_MS = 20;
const DELAY_BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];
const COLLECTION_BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5];

/** Measures this process. Names without `pipit_` are those of common Node dashboards. */
export function startProcessMetrics(version: string) {
  const delays = createHistogram(DELAY_BOUNDS);
  let expectedMs = performance.now() + SAMPLE_INTERVAL_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delays.observe(Math.max(0, nowMs - expectedMs) / 1000);
    expectedMs = nowMs + SAMPLE_INTERVAL_MS;
  }, SAMPLE_INTERVAL_MS).unref();
  const collections = observeCollections();
  return {
    collect: (): Metrics => [
      gauge('pipit_build_info', 'Always 1; the labels tell the versions of Pipit and Node.', [
        sample({ version, node: versions.node }, 1),
      ]),
      histogram(
        'pipit_event_loop_delay_seconds',
        `How late a timer of ${SAMPLE_INTERVAL_MS} ms fires: how long requests wait for the process.`,
        delays,
      ),
      ...utilization(),
      collections.collect(),
      ...cpuAndMemory(),
      ...openFiles(),
    ],
    stop: () => {
      clearInterval(timer);
      collections.stop();
    },
  };
}

/** Counters, so that scrapers at any interval get their own average. */
function utilization(): Metrics {
  const { active, idle } = performance.eventLoopUtilization();
  return [
    counter(
      'pipit_event_loop_active_seconds_total',
      'Time in which the event loop worked; its rate is the utilization, 1 at most.',
      active / 1000,
    ),
    counter('pipit_event_loop_idle_seconds_total', 'Time in which the event loop waited.', idle / 1000),
  ];
}

type CollectionKind = 'minor' | 'major' | 'incremental' | 'weakcb';

const KINDS: Readonly<Record<number, CollectionKind>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/** What the types of Node lack of the entry of a collection. */
interface CollectionEntry {
  readonly detail: { readonly kind: number };
}

function observeCollections() {
  const durations = new LabelledHistogram<CollectionKind>(COLLECTION_BOUNDS);
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind: number } = (entry as typeof entry & CollectionEntry).detail;
      const kind = KINDS[number];
      if (kind !== undefined) durations.observe(kind, entry.duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    collect: () =>
      durations.family('nodejs_gc_duration_seconds', 'Pauses of the garbage collector by kind.', 'kind'),
    stop: () => observer.disconnect(),
  };
}

function cpuAndMemory(): Metrics {
  const { user, system } = cpuUsage();
  const { rss, heapUsed, heapTotal, external } = memoryUsage();
  return [
    counter('process_cpu_seconds_total', 'CPU time in user and system mode.', (user + system) / 1e6),
    gauge('process_start_time_seconds', 'When the process started.', Date.now() / 1000 - uptime()),
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge('nodejs_heap_size_total_bytes', 'Size of the heap.', heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers and bindings.', external),
  ];
}

/** Returns nothing on systems without `/proc`. */
function openFiles(): Metrics {
  try {
    const open = readdirSync('/proc/self/fd').length;
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const max = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? NaN);
    return [
      gauge('process_open_fds', 'Open files and sockets.', open),
      ...(Number.isNaN(max) ? [] : [gauge('process_max_fds', 'How many may be open.', max)]),
    ];
  } catch {
    return [];
  }
}
