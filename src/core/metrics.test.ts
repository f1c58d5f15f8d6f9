import { expect, it } from 'vitest';
import { createHistogram, formatMetrics, labelled, mergeMetrics, type MetricFamily } from './metrics.js';

const jobs = (value: number, state: string): MetricFamily => ({
  name: 'pipit_jobs',
  help: 'Jobs by state.',
  type: 'gauge',
  samples: [{ labels: { state }, value }],
});

it('metrics of several processes are merged by family, with escaped label values', () => {
  const merged = mergeMetrics([[jobs(3, 'a"b\\c\nd')], labelled([jobs(4, 'dead')], { worker: '1' })]);
  expect(formatMetrics(merged)).toBe(
    '# HELP pipit_jobs Jobs by state.\n# TYPE pipit_jobs gauge\n' +
      'pipit_jobs{state="a\\"b\\\\c\\nd"} 3\npipit_jobs{state="dead",worker="1"} 4\n',
  );
});

it('the buckets of a histogram are cumulative, include their bound and end at infinity', () => {
  const histogram = createHistogram([0.1, 1]);
  for (const value of [0.1, 0.5, 5]) histogram.observe(value);
  const samples = histogram.samples({});
  const family: MetricFamily = { name: 't', help: 'Seconds.', type: 'histogram', samples };
  expect(formatMetrics([family]).split('\n').slice(2, -1)).toEqual([
    't_bucket{le="0.1"} 1',
    't_bucket{le="1"} 2',
    't_bucket{le="+Inf"} 3',
    't_sum 5.6',
    't_count 3',
  ]);
});
