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

const HOOK = { id: '3001', app: APP.id, url: 'https://pond.example/hook' };
const webhooks = (...entries: readonly object[]) => ({
  webhooks: entries.map((entry) => ({ ...HOOK, ...entry })),
});
const many = Array.from({ length: 6 }, (_, at) => ({
  id: String(3001 + at),
  url: `https://pond.example/${at}`,
}));

const OF_WEBHOOKS: readonly Refusal[] = [
  ['the app exists', webhooks({ app: '1' }), '$.webhooks[0].app', /no app 1/],
  ['an id stands once', webhooks({}, { url: 'https://pond.example/2' }), '$.webhooks[1].id', /already/],
  ['a URL stands once for an app', webhooks({}, { id: '3002' }), '$.webhooks[1].url', /already/],
  [
    'the URL is one of the web',
    webhooks({ url: 'file:///etc/passwd' }),
    '$.webhooks[0].url',
    /not an absolute web address/,
  ],
  [
    'the URL has no credentials',
    webhooks({ url: 'https://a:b@pond.example/' }),
    '$.webhooks[0].url',
    /credentials/,
  ],
  [
    'the URL is short',
    webhooks({ url: `https://pond.example/${'a'.repeat(1_000_000)}` }),
    '$.webhooks[0].url',
    /200 characters/,
  ],
  ['an app has five at most', webhooks(...many), '$.webhooks[5]', /at most 5 webhooks/],
  ['valid is true or false', webhooks({ valid: 'yes' }), '$.webhooks[0].valid', /true or false/],
  [
    'only an invalid one has a reason',
    webhooks({ invalid_reason: 'x' }),
    '$.webhooks[0].invalid_reason',
    /valid: false/,
  ],
  [
    'subscribers exist',
    webhooks({ account_activity: ['nobody'] }),
    '$.webhooks[0].account_activity[0]',
    /no user/,
  ],
  [
    'fields have names',
    webhooks({ filtered_stream: { fields: { 'tweet.fields': ['<b>'] } } }),
    '$.webhooks[0].filtered_stream.fields.tweet.fields[0]',
    /the name of a field/,
  ],
  [
    'parameters are known',
    webhooks({ filtered_stream: { fields: { __proto: [] } } }),
    '$.webhooks[0].filtered_stream.fields.__proto',
    /no known key/,
  ],
];

test.each(OF_WEBHOOKS)('webhooks: %s', (_rule, document, path, reason) =>
  expectRefusal(document, path, reason),
);

const WANTED = { id: '4001', app: APP.id, type: 'post.create', user: 'bob' };
const subscriptions = (...entries: readonly object[]) => ({
  activity_subscriptions: entries.map((entry) => ({ ...WANTED, ...entry })),
});
const AT = '$.activity_subscriptions';

const OF_SUBSCRIPTIONS: readonly Refusal[] = [
  ['the app exists', subscriptions({ app: '1' }), `${AT}[0].app`, /no app 1/],
  ['an id stands once', subscriptions({}, { user: 'alice' }), `${AT}[1].id`, /already/],
  ['the same stands once', subscriptions({}, { id: '4002' }), `${AT}[1].type`, /already/],
  ['the type is known', subscriptions({ type: 'bird.sing' }), `${AT}[0].type`, /must be one of/],
  ['the user exists', subscriptions({ user: 'nobody' }), `${AT}[0].user`, /no user/],
  ['the subscriber exists', subscriptions({ subscriber: 'nobody' }), `${AT}[0].subscriber`, /no user/],
  [
    'a type about a user has no keyword',
    subscriptions({ keyword: 'heron' }),
    `${AT}[0].keyword`,
    /does not go with/,
  ],
  ['a type by keyword needs one', subscriptions({ type: 'news.new' }), `${AT}[0].keyword`, /is missing/],
  [
    'some types have no direction',
    subscriptions({ direction: 'inbound' }),
    `${AT}[0].direction`,
    /does not go with/,
  ],
  [
    'private kinds are for oneself',
    subscriptions({ type: 'dm.sent', subscriber: 'alice' }),
    `${AT}[0].subscriber`,
    /only for their own/,
  ],
  [
    'apps receive no private kinds',
    subscriptions({ type: 'like.create' }),
    `${AT}[0].subscriber`,
    /only for their own/,
  ],
  ['the webhook is the app’s', subscriptions({ webhook: '9' }), `${AT}[0].webhook`, /has no webhook 9/],
  ['tags are short', subscriptions({ tag: 't'.repeat(201) }), `${AT}[0].tag`, /200 characters/],
  ['times are times', subscriptions({ created_at: 'then' }), `${AT}[0].created_at`, /must be a time/],
];

test.each(OF_SUBSCRIPTIONS)('activity: %s', (_rule, document, path, reason) =>
  expectRefusal(document, path, reason),
);
