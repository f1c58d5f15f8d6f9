import { expect, it } from 'vitest';
import { createHistogram, histogram } from '../core/histogram.js';
import { counter, labelled, mergeMetrics, sample, type MetricFamily } from '../core/metrics.js';
import { formatFor, formatMetrics } from './metrics-text.js';

const jobs = (value: number, state: string): MetricFamily => ({
  name: 'pipit_jobs',
  help: 'Jobs by state.',
  type: 'gauge',
  samples: [{ labels: { state }, value }],
});

it('metrics of several processes are merged by family, with escaped label values', () => {
  const merged = mergeMetrics([[jobs(3, 'a"b\\c\nd')], labelled([jobs(4, 'dead')], { worker: '1' })]);
  expect(formatMetrics(merged, 'prometheus')).toBe(
    '# HELP pipit_jobs Jobs by state.\n# TYPE pipit_jobs gauge\n' +
      'pipit_jobs{state="a\\"b\\\\c\\nd"} 3\npipit_jobs{state="dead",worker="1"} 4\n',
  );
});

it('the buckets of a histogram are cumulative, include their bound and end at infinity', () => {
  const sizes = createHistogram([0.1, 1]);
  for (const value of [0.1, 0.5, 5]) sizes.observe(value);
  const family = histogram('t', 'Seconds.', sizes);
  expect(formatMetrics([family], 'prometheus').split('\n').slice(2, -1)).toEqual([
    't_bucket{le="0.1"} 1',
    't_bucket{le="1"} 2',
    't_bucket{le="+Inf"} 3',
    't_sum 5.6',
    't_count 3',
  ]);
});

it('OpenMetrics names counters without their suffix, writes bounds as floats and has an end', () => {
  const sizes = createHistogram([1]);
  const text = formatMetrics(
    [counter('posts_total', 'Posts "new".', [sample({ by: 'a' }, 2)]), histogram('t', 'Seconds.', sizes)],
    'openmetrics',
  );
  expect(text.split('\n')).toEqual([
    '# HELP posts Posts \\"new\\".',
    '# TYPE posts counter',
    'posts_total{by="a"} 2',
    '# HELP t Seconds.',
    '# TYPE t histogram',
    't_bucket{le="1.0"} 0',
    't_bucket{le="+Inf"} 0',
    't_sum 0',
    't_count 0',
    '# EOF',
    '',
  ]);
});

it('OpenMetrics is chosen by those who accept its first version', () => {
  const prometheus = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
  expect(formatFor(prometheus)).toBe('openmetrics');
  expect(formatFor('Application/OpenMetrics-Text; version=1.0.0; charset=utf-8')).toBe('openmetrics');
  for (const other of [undefined, '', '*/*', 'text/plain', 'application/openmetrics-text;version=2.0.0'])
    expect(formatFor(other)).toBe('prometheus');
  expect(formatFor('application/openmetrics-text;q=0, text/plain')).toBe('prometheus');
});
