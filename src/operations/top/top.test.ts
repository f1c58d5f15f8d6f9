import { expect, it } from 'vitest';
import { startCpuTime } from '../../../test/support/cpu-time.js';
import { createHistogram } from '../../core/histogram.js';
import { counter, gauge, labelled, mergeMetrics, sample, type Metrics } from '../../core/metrics.js';
import { formatMetrics } from '../metrics-text.js';
import { Interval } from './interval.js';
import { readMetrics } from './read-metrics.js';
import { viewOf } from './server-view.js';
import { tableOf, type Order } from './table.js';

const HOSTILE = 'GET /\u001b[2J\u202e"\\{evil}\n\u0007';

/** Returns the metrics of a worker that answered requests, of 30 ms each. */
function worker(name: string, requests: number, errors: number, operation = 'findMyUser'): Metrics {
  const durations = createHistogram([0.02, 0.04]);
  for (let count = 0; count < requests; count += 1) durations.observe(0.03);
  return labelled(
    [
      gauge('pipit_build_info', 'Build.', [sample({ version: '1.0' }, 1)]),
      gauge('process_start_time_seconds', 'Start.', 1_000),
      counter('pipit_http_requests_total', 'Requests.', [
        sample({ operation, status: '200' }, requests),
        sample({ operation, status: '503' }, errors),
      ]),
      {
        name: 'pipit_http_request_duration_seconds',
        help: 'Time.',
        type: 'histogram',
        samples: durations.samples({ operation }),
      },
      counter('pipit_event_loop_active_seconds_total', 'Active.', requests / 100),
    ],
    { worker: name },
  );
}

const scrapeOf = (atMs: number, ...workers: readonly Metrics[]) => ({
  metrics: readMetrics(formatMetrics(mergeMetrics(workers), 'prometheus')),
  atMs,
});

const viewBetween = (before: ReturnType<typeof scrapeOf>, now: ReturnType<typeof scrapeOf>) =>
  viewOf(new Interval(before, now), 1_000 + 3 * 86_400 + 7_200);

it('rates and quantiles are of the time between two scrapes, over all workers', () => {
  const before = scrapeOf(0, worker('0', 100, 1), worker('1', 50, 0));
  const now = scrapeOf(2_000, worker('0', 160, 3), worker('1', 90, 0));
  const { requests, operations, workers, upSeconds } = viewBetween(before, now);
  expect(requests).toMatchObject({ rate: 51, errorRate: 1, refusalRate: 0 });
  expect(operations).toHaveLength(1);
  expect(operations[0]).toMatchObject({ operation: 'findMyUser', rate: 51, errorRate: 1 });
  expect(operations[0]?.half).toBeCloseTo(0.03, 2);
  expect(operations[0]?.slowest).toBeLessThanOrEqual(0.04);
  expect(workers.map(({ worker: name, loop }) => [name, loop])).toEqual([
    ['0', expect.closeTo(0.3)],
    ['1', expect.closeTo(0.2)],
  ]);
  expect(upSeconds).toBe(3 * 86_400 + 7_200);
});

it('a worker that was replaced counts from its start, and one that is new too', () => {
  const before = scrapeOf(0, worker('0', 1_000, 0));
  const now = scrapeOf(2_000, worker('0', 10, 0), worker('1', 20, 0));
  expect(viewBetween(before, now).requests.rate).toBe(15);
});

it('the table fits 80 by 24, and labels that are not plain change nothing but their own line', () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    worker(String(index), 10, index, `operation${index}`),
  );
  const before = scrapeOf(0, worker('0', 0, 0, HOSTILE));
  const view = viewBetween(before, scrapeOf(1_000, worker('0', 500, 0, HOSTILE), ...many));
  for (const order of ['rate', 'slowest', 'errors', 'name'] satisfies Order[]) {
    const lines = tableOf(view, order, { columns: 80, rows: 23 });
    expect(lines).toHaveLength(23);
    for (const line of lines) expect(line).toMatch(/^[ -~]{0,80}$/);
  }
  const [first] = tableOf(view, 'rate', { columns: 80 }).filter((line) => line.startsWith('GET /'));
  expect(first).toContain('GET /?[2J?"\\{evil}??');
  const byErrors = tableOf(view, 'errors', { columns: 80 });
  expect(byErrors[byErrors.findIndex((line) => line.startsWith('operation ')) + 1]).toMatch(/^operation39 /);
});

it('text that is no metric is left out, and read in time in proportion to its length', () => {
  const read = readMetrics(
    'a 1\na{x="1} 2\n{} 3\nb{x="\\"\\\\"} +Inf 1700000000\nc\nd NaN\n# TYPE e counter\n',
  );
  expect([...read]).toEqual([
    ['a', [{ labels: {}, value: 1 }]],
    ['b', [{ labels: { x: '"\\' }, value: Infinity }]],
  ]);
  const cpuMs = startCpuTime();
  readMetrics(`a{${'x="\\'.repeat(50_000)}`);
  readMetrics('a{x="1",'.repeat(50_000));
  expect(cpuMs()).toBeLessThan(1_000);
});
