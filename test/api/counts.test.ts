import { describe, expect, it, onTestFinished } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { protectAccount } from '../../src/services/relations/follow-requests.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/random-search.js';
import { standardWorld, USERS } from '../support/world.js';

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface WirePeriod {
  readonly start: string;
  readonly end: string;
  readonly tweet_count: number;
}

interface CountServer extends TestApp {
  /** Requests one page; checks that its periods are contiguous and add up to its total. */
  page(
    product: string,
    query: string,
    more?: Record<string, string>,
  ): Promise<{ readonly periods: WirePeriod[]; readonly total: number; readonly next?: string }>;
  /** Returns the periods of all pages, oldest first. */
  whole(product: string, query: string, more?: Record<string, string>): Promise<WirePeriod[]>;
}

async function start(posts: readonly unknown[] = [], more: object = {}): Promise<CountServer> {
  const world = standardWorld();
  const app = await startTestApp({
    world: { ...world, posts, likes: [], bookmarks: [], ...more },
    clock: () => NOW_MS,
  });
  onTestFinished(app.close);
  const page: CountServer['page'] = async (product, query, values = {}) => {
    const search = new URLSearchParams({ query, ...values });
    const answer = await app.get(`/2/tweets/counts/${product}?${search}`, app.bearer);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { data, meta } = answer.body as {
      data: WirePeriod[];
      meta: { total_tweet_count: number; next_token?: string };
    };
    expect(gapsIn(data)).toEqual([]);
    expect(meta.total_tweet_count).toBe(data.reduce((sum, period) => sum + period.tweet_count, 0));
    return { periods: data, total: meta.total_tweet_count, next: meta.next_token };
  };
  const whole: CountServer['whole'] = async (product, query, values) => {
    const pages: WirePeriod[][] = [];
    let next: string | undefined;
    do {
      const shown = await page(product, query, {
        ...values,
        ...(next === undefined ? {} : { next_token: next }),
      });
      pages.unshift(shown.periods);
      next = shown.next;
    } while (next !== undefined);
    return pages.flat();
  };
  return { ...app, page, whole };
}

function post(timeMs: number, text = 'cat', author = 'bob') {
  return { id: String(firstIdAt(timeMs)), author, text, created_at: iso(timeMs) };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

const second = (timeMs: number): string => `${iso(timeMs).slice(0, 19)}Z`;

const gapsIn = (periods: readonly WirePeriod[]): WirePeriod[] =>
  periods.slice(1).filter((period, index) => period.start !== periods[index]?.end);

const filled = (periods: readonly WirePeriod[]): WirePeriod[] =>
  periods.filter(({ tweet_count: count }) => count > 0);

describe('counts of recent posts (docs/api/search.md#counts)', () => {
  it('return 169 hours for 7 days, with partial first and last hours and empty hours included', async () => {
    const app = await start([
      post(NOW_MS - 7 * DAY),
      post(NOW_MS - 2 * HOUR),
      post(NOW_MS - 2 * HOUR + SECOND),
    ]);
    const { periods, total, next } = await app.page('recent', 'cat');
    expect(periods).toHaveLength(169);
    expect(periods[0]).toEqual({
      start: '2022-09-30T22:42:12.000Z',
      end: '2022-09-30T23:00:00.000Z',
      tweet_count: 1,
    });
    expect(periods[1]).toEqual({
      start: '2022-09-30T23:00:00.000Z',
      end: '2022-10-01T00:00:00.000Z',
      tweet_count: 0,
    });
    expect(periods.at(-1)).toEqual({
      start: '2022-10-07T22:00:00.000Z',
      end: '2022-10-07T22:41:42.000Z',
      tweet_count: 0,
    });
    expect(filled(periods)[1]).toMatchObject({ start: '2022-10-07T20:00:00.000Z', tweet_count: 2 });
    expect(total).toBe(3);
    expect(next).toBeUndefined();
  });

  it('align minutes and days to UTC', async () => {
    const app = await start([post(NOW_MS - MINUTE)]);
    const times = { start_time: second(NOW_MS - 3 * MINUTE), end_time: second(NOW_MS - 30 * SECOND) };
    const minutes = await app.page('recent', 'cat', { granularity: 'minute', ...times });
    expect(minutes.periods.map((period) => [period.start.slice(11, 19), period.tweet_count])).toEqual([
      ['22:39:12', 0],
      ['22:40:00', 0],
      ['22:41:00', 1],
    ]);
    const days = await app.page('recent', 'cat', { granularity: 'day' });
    expect(days.periods).toHaveLength(8);
    expect(days.periods[1]).toMatchObject({
      start: '2022-10-01T00:00:00.000Z',
      end: '2022-10-02T00:00:00.000Z',
    });
  });

  it('include the start and exclude the end; a span within one hour is one period', async () => {
    const at = NOW_MS - 3 * HOUR;
    const app = await start([post(at), post(at + 10 * SECOND)]);
    const times = { start_time: second(at), end_time: second(at + 10 * SECOND) };
    expect((await app.page('recent', 'cat', times)).periods).toEqual([
      { start: iso(at), end: iso(at + 10 * SECOND), tweet_count: 1 },
    ]);
  });

  it('prefer since_id to start_time; the periods begin and end at the seconds of the ids', async () => {
    const times = [5, 4, 3, 2].map((hours) => NOW_MS - hours * HOUR);
    const app = await start(times.map((ms) => post(ms)));
    const [sinceId, , , untilId] = times.map((ms) => String(firstIdAt(ms)));
    const { periods, total } = await app.page('recent', 'cat', {
      start_time: second(NOW_MS - HOUR),
      since_id: String(sinceId),
      until_id: String(untilId),
    });
    expect(total).toBe(2);
    expect(periods[0]?.start).toBe('2022-10-07T17:42:12.000Z');
    expect(periods.at(-1)?.end).toBe('2022-10-07T20:42:13.000Z');
  });

  it('are zero for a query that cannot match', async () => {
    const app = await start([post(NOW_MS - HOUR)]);
    expect((await app.page('recent', 'from:nobody_here')).total).toBe(0);
    expect((await app.page('recent', 'cat', { until_id: '5' })).total).toBe(0);
  });
});

describe('counts of the archive', () => {
  it('start 30 days before the end by default', async () => {
    const app = await start([post(NOW_MS - 30 * DAY)]);
    const { periods, total, next } = await app.page('all', 'cat', { granularity: 'day' });
    expect(periods).toHaveLength(31);
    expect(periods[0]).toMatchObject({ start: '2022-09-07T00:00:00.000Z' });
    expect(total).toBe(1);
    expect(next).toBeUndefined();
    const ended = await app.page('all', 'cat', { end_time: '2022-05-07T13:23:00Z' });
    expect(ended.periods[0]).toMatchObject({
      start: '2022-04-07T00:00:00.000Z',
      end: '2022-04-07T01:00:00.000Z',
    });
  });

  it.each(['minute', 'hour', 'day'])(
    'return 31 days per page, newest first, by the %s',
    async (granularity) => {
      const times = Array.from({ length: 100 }, (_, n) => NOW_MS - n * DAY);
      const app = await start(times.map((ms) => post(ms)));
      const span = { start_time: '2022-07-01T06:30:00Z', end_time: '2022-10-07T12:00:00Z', granularity };
      const { periods, next } = await app.page('all', 'cat', span);
      expect(periods[0]?.start).toBe('2022-09-07T00:00:00.000Z');
      expect(periods.at(-1)?.end).toBe('2022-10-07T12:00:00.000Z');
      expect(next).toMatch(/^[0-9a-z]+$/);
      const joined = await app.whole('all', 'cat', span);
      expect(gapsIn(joined)).toEqual([]);
      expect([joined[0]?.start, joined.at(-1)?.end]).toEqual([
        '2022-07-01T06:30:00.000Z',
        '2022-10-07T12:00:00.000Z',
      ]);
      expect(filled(joined)).toHaveLength(98);
    },
  );

  it('accept a token only with the request that produced it', async () => {
    const app = await start();
    const span = { start_time: '2022-07-01T00:00:00Z' };
    const { next = '' } = await app.page('all', 'cat', span);
    expect((await app.page('all', 'cat', { ...span, pagination_token: next })).periods).not.toHaveLength(0);
    for (const [name, url] of [
      ['another query', `all?query=dog&start_time=${span.start_time}&next_token=${next}`],
      [
        'another granularity',
        `all?query=cat&start_time=${span.start_time}&granularity=day&next_token=${next}`,
      ],
      ['recent', `recent?query=cat&next_token=${next}`],
      ['nonsense', 'all?query=cat&next_token=b26v89c19zqg8o3f'],
    ] as const) {
      const answer = await app.get(`/2/tweets/counts/${url}`, app.bearer);
      expect(answer.status, name).toBe(400);
      expect(answer.body.errors[0].message, name).toMatch(
        /^The `next_token` query parameter value \[.*\] is not valid$/,
      );
    }
  });

  it('include posts older than snowflake ids', async () => {
    const old = { id: '20', author: 'bob', text: 'cat', created_at: '2006-03-21T20:50:14Z' };
    const app = await start([old]);
    const span = { start_time: '2006-03-21T00:00:00Z', end_time: '2006-03-22T12:00:00Z' };
    expect(filled(await app.whole('all', 'cat', span))).toEqual([
      { start: '2006-03-21T20:00:00.000Z', end: '2006-03-21T21:00:00.000Z', tweet_count: 1 },
    ]);
  });
});

describe('counts', () => {
  const posts = ['alice', 'bob', 'dave'].map((author, n) =>
    post(NOW_MS - HOUR - n * MINUTE, 'heron', author),
  );

  it('exclude protected, suspended and deleted posts at once, before the index is updated', async () => {
    const repost = {
      id: String(firstIdAt(NOW_MS - MINUTE)),
      author: 'carol',
      repost_of: posts[0]?.id,
      created_at: iso(NOW_MS - MINUTE),
    };
    const app = await start([...posts, repost]);
    const total = async (): Promise<number> => (await app.page('recent', 'heron')).total;
    expect(await total()).toBe(3);
    const { backend, jobs } = app.pipit;
    await protectAccount(backend, BigInt(USERS.alice) as UserId);
    expect(await total()).toBe(1);
    await jobs.worker.runDue();
    expect(await total()).toBe(1);
    await suspendAccount(backend, BigInt(USERS.bob) as UserId, true);
    expect(await total()).toBe(0);
    await suspendAccount(backend, BigInt(USERS.bob) as UserId, false);
    await jobs.worker.runDue();
    expect(await total()).toBe(1);
    await app.delete(`/2/tweets/${posts[1]?.id}`, await app.as('bob'));
    expect(await total()).toBe(0);
  });

  it('require an app, and for the archive the research track', async () => {
    const app = await start();
    const asUser = await app.get('/2/tweets/counts/recent?query=cat', await app.as('alice'));
    expect([asUser.status, asUser.body.title]).toEqual([403, 'Unsupported Authentication']);
    const apps = (standardWorld()['apps'] ?? []).map((each) => ({ ...(each as object), track: 'standard' }));
    const standard = await start([], { apps });
    const refused = await standard.get('/2/tweets/counts/all?query=cat', standard.bearer);
    expect([refused.status, refused.body.title]).toEqual([403, 'Client Forbidden']);
    expect((await standard.get('/2/tweets/counts/recent?query=cat', standard.bearer)).status).toBe(200);
  });
});

describe('rate limits', () => {
  it.each([
    ['standard', 'recent', '180'],
    ['academic_research', 'recent', '300'],
    ['academic_research', 'all', '300'],
  ])('of the %s track allow counts of %s %s times in 15 minutes', async (track, product, limit) => {
    const apps = (standardWorld()['apps'] ?? []).map((each) => ({ ...(each as object), track }));
    const app = await start([], { apps });
    const { headers } = await app.get(`/2/tweets/counts/${product}?query=cat`, app.bearer);
    expect([headers['x-rate-limit-limit'], headers['x-rate-limit-remaining']]).toEqual([
      limit,
      String(Number(limit) - 1),
    ]);
  });
});

describe('an invalid request returns 400', () => {
  it.each([
    ['', 'The `query` query parameter can not be empty'],
    ['query=has:media', /is\/has\/lang cannot be used as a standalone operator \(at position 1\)/],
    [
      'query=cat&granularity=week',
      'The `granularity` query parameter value [week] is not one of [day,hour,minute]',
    ],
    [
      'query=cat&search_count.fields=id',
      'The `search_count.fields` query parameter value [id] is not one of [end,start,tweet_count]',
    ],
    [
      'query=cat&start_time=2022-10-01T00:00:00Z&end_time=2022-10-01T00:00:00Z',
      /'end_time' must be after 'start_time'/,
    ],
    ['query=cat&end_time=2022-10-07T22:42:10Z', /must be a minimum of 10 seconds prior to the request time/],
    ['query=cat&start_time=2022-09-01T00:00:00Z', /'start_time' must be on or after 2022-09-30T22:42Z/],
    ['query=cat&since_id=20', /'since_id' must be a tweet id created after 2022-09-30T22:42Z/],
    [
      'query=cat&max_results=10',
      'The query parameter [max_results] is not one of [query,start_time,end_time,since_id,until_id,next_token,pagination_token,granularity,search_count.fields]',
    ],
  ])('%s', async (search, message) => {
    const app = await start();
    const answer = await app.get(`/2/tweets/counts/recent?${search}`, app.bearer);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('all fields are returned regardless of search_count.fields', async () => {
    const app = await start();
    const { periods } = await app.page('recent', 'cat', { 'search_count.fields': 'tweet_count' });
    expect(Object.keys(periods[0] ?? {})).toEqual(['end', 'start', 'tweet_count']);
  });
});

describe('random windows and queries', () => {
  const WORDS = ['cat', 'dog', 'owl', 'the'];
  const QUERIES = [
    'the',
    'cat OR dog',
    '"the cat"',
    'owl -the',
    'from:bob -is:retweet',
    'the min_likes:1',
    'sample:50',
  ];

  it('count as many posts as search returns', async () => {
    const random = seeded(5);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const posts = Array.from({ length: 150 }, (_, n) => {
      const ms = NOW_MS - MINUTE - Math.floor(random() * 70 * DAY);
      const words = Array.from({ length: 3 }, () => pick(WORDS)).join(' ');
      const made = post(ms, words, pick(['alice', 'bob', 'carol', 'dave']));
      return n % 6 === 0 ? { ...made, id: String(1_000 + n) } : made;
    });
    const likes = posts.filter(() => random() < 0.3).map(({ id }) => ({ user: 'carol', post: id }));
    const app = await start(posts, {
      likes: likes.filter(({ post: id }) => posts.find((each) => each.id === id)?.author !== 'dave'),
    });
    let counted = 0;
    for (let n = 0; n < 60; n += 1) {
      const query = pick(QUERIES);
      const window = windowOf(
        random,
        posts.map(({ id }) => id),
      );
      const periods = await app.whole('all', query, { ...window, granularity: pick(['hour', 'day']) });
      const total = periods.reduce((sum, period) => sum + period.tweet_count, 0);
      expect(total, JSON.stringify({ query, window })).toBe(await found(app, query, window));
      counted += total;
    }
    expect(counted).toBeGreaterThan(300);
  });

  async function found(app: CountServer, query: string, window: Record<string, string>): Promise<number> {
    let [count, next] = [0, ''];
    do {
      const values = { query, max_results: '100', ...window, ...(next && { next_token: next }) };
      const { body } = await app.get(`/2/tweets/search/all?${new URLSearchParams(values)}`, app.bearer);
      count += body.meta.result_count;
      next = body.meta.next_token ?? '';
    } while (next);
    return count;
  }

  function windowOf(random: () => number, ids: readonly string[]): Record<string, string> {
    const agoMs = [random(), random()]
      .map((part) => NOW_MS - 20 * SECOND - Math.floor(part * 75 * DAY))
      .sort();
    const [fromMs = 0, beforeMs = 0] = agoMs;
    const id = (): string => ids[Math.floor(random() * ids.length)] ?? '1';
    return {
      start_time: second(fromMs),
      end_time: second(beforeMs),
      ...(random() < 0.3 && { since_id: String(firstIdAt(NOW_MS - Math.floor(random() * 75 * DAY))) }),
      ...(random() < 0.3 && { until_id: id() }),
    };
  }
});
