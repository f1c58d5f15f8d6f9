import { expect, test } from 'vitest';
import { NO_POST_COUNTS } from '../../core/post.js';
import type { WireJson } from '../../core/wire-json.js';
import { withPostMetrics } from './counted-json.js';
import { presenter } from '../wire/presenter.js';
import { FixedWire } from './fixed-json.js';

const fixed = new FixedWire('7', '{"id":"7"}', presenter({}, new Set()));
const metricsOf = ({ json }: WireJson) => JSON.parse(json).public_metrics;

test('a post with the same counts is written once, whichever object they come in', () => {
  const first = withPostMetrics(fixed, { ...NO_POST_COUNTS, likes: 3 });
  expect(withPostMetrics(fixed, { ...NO_POST_COUNTS, likes: 3 })).toBe(first);
  expect(metricsOf(first)).toEqual({ retweet_count: 0, reply_count: 0, like_count: 3, quote_count: 0 });
});

test.each([
  ['likes', 'like_count'],
  ['replies', 'reply_count'],
  ['quotes', 'quote_count'],
  ['reposts', 'retweet_count'],
  ['impressions', 'impression_count'],
])('a change of %s alone is shown', (count, metric) => {
  withPostMetrics(fixed);
  expect(metricsOf(withPostMetrics(fixed, { ...NO_POST_COUNTS, [count]: 1 }))[metric]).toBe(1);
  expect(metricsOf(withPostMetrics(fixed))[metric] ?? 0).toBe(0);
});

test('a repost shows the reposts of what it repeats, now', () => {
  for (const reposts of [1, 2]) {
    const wire = withPostMetrics(fixed, NO_POST_COUNTS, { ...NO_POST_COUNTS, reposts });
    expect(metricsOf(wire).retweet_count).toBe(reposts);
  }
});
