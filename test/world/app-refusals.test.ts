import { test } from 'vitest';
import { APP } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

const { expectRefusal } = createRefuser();

const DAY = { app: APP.id, day: '2022-03-01', posts: 3, requests: 4 };
const usage = (...entries: readonly object[]) => ({ usage: entries.map((entry) => ({ ...DAY, ...entry })) });

const OF_USAGE: readonly Refusal[] = [
  ['the app exists', usage({ app: '1' }), '$.usage[0].app', /no app 1/],
  ['a day has the form of one', usage({ day: 'now' }), '$.usage[0].day', /a day \(UTC\)/],
  ['a day exists', usage({ day: '2022-02-30' }), '$.usage[0].day', /a day/],
  ['a day is text', usage({ day: 19_052 }), '$.usage[0].day', /a day/],
  ['a day stands once for an app', usage({}, {}), '$.usage[1].day', /already/],
  ['counts are whole numbers', usage({ posts: 1.5 }), '$.usage[0].posts', /whole number/],
  ['counts are positive', usage({ requests: -1 }), '$.usage[0].requests', /whole number/],
  ['counts are safe numbers', usage({ requests: 1e300 }), '$.usage[0].requests', /whole number/],
  ['counted posts exist', usage({ counted_posts: ['9'] }), '$.usage[0].counted_posts[0]', /no post 9/],
  [
    'counted posts are as many as posts',
    usage({ posts: 0, counted_posts: ['1500000000000000001'] }),
    '$.usage[0].counted_posts',
    /more than 0/,
  ],
];

test.each(OF_USAGE)('usage: %s', (_rule, document, path, reason) => expectRefusal(document, path, reason));

const app = (entry: object) => ({ apps: [{ id: '2002', owner: 'bob', ...entry }] });

const OF_APPS: readonly Refusal[] = [
  ['the owner is given', { apps: [{ id: '2002' }] }, '$.apps[0].owner', /is missing/],
  ['the name is plain text', app({ name: 'a\u202eb' }), '$.apps[0]', /control or invisible/],
  ['the time is one', app({ created_at: 5 }), '$.apps[0].created_at', /must be a time/],
  ['credentials are short', app({ api_key: 'k'.repeat(1_001) }), '$.apps[0].api_key', /visible ASCII/],
];

test.each(OF_APPS)('apps: %s', (_rule, document, path, reason) => expectRefusal(document, path, reason));
