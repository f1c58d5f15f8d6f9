import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { protectAccount } from '../../src/services/relations/follow-requests.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { seeded } from '../support/random-search.js';
import { rounds } from '../support/rounds.js';
import { standardWorld, USERS } from '../support/world.js';
import {
  DAY,
  filled,
  gapsIn,
  HOUR,
  iso,
  MINUTE,
  NOW_MS,
  openCounts,
  post,
  second,
  SECOND,
  startCounts,
  type CountServer,
} from './support/counts.js';

describe('counts of recent posts (docs/api/search.md#counts)', () => {
  it('return 169 hours for 7 days, with partial first and last hours and empty hours included', async () => {
    const app = await startCounts([
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
    const app = await startCounts([post(NOW_MS - MINUTE)]);
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
    const app = await startCounts([post(at), post(at + 10 * SECOND)]);
    const times = { start_time: second(at), end_time: second(at + 10 * SECOND) };
    expect((await app.page('recent', 'cat', times)).periods).toEqual([
      { start: iso(at), end: iso(at + 10 * SECOND), tweet_count: 1 },
    ]);
  });

  it('prefer since_id to start_time; the periods begin and end at the seconds of the ids', async () => {
    const times = [5, 4, 3, 2].map((hours) => NOW_MS - hours * HOUR);
    const app = await startCounts(times.map((ms) => post(ms)));
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
    const app = await startCounts([post(NOW_MS - HOUR)]);
    expect((await app.page('recent', 'from:nobody_here')).total).toBe(0);
    expect((await app.page('recent', 'cat', { until_id: '5' })).total).toBe(0);
  });
});

describe('counts of the archive', () => {
  it('start 30 days before the end by default', async () => {
    const app = await startCounts([post(NOW_MS - 30 * DAY)]);
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

  describe('of more than 31 days', () => {
    let app: CountServer;
    beforeAll(async () => {
      app = await openCounts(Array.from({ length: 70 }, (_, n) => post(NOW_MS - n * DAY)));
    });
    afterAll(() => app.close());

    it.each(['minute', 'hour', 'day'])(
      'return 31 days per page, newest first, by the %s',
      async (granularity) => {
        const span = { start_time: '2022-08-05T06:30:00Z', end_time: '2022-10-07T12:00:00Z', granularity };
        const pages = await app.pages('all', 'cat', span);
        expect(pages).toHaveLength(3);
        const newest = pages.at(-1);
        expect(newest?.[0]?.start).toBe('2022-09-07T00:00:00.000Z');
        expect(newest?.at(-1)?.end).toBe('2022-10-07T12:00:00.000Z');
        const joined = pages.flat();
        expect(gapsIn(joined)).toEqual([]);
        expect([joined[0]?.start, joined.at(-1)?.end]).toEqual([
          '2022-08-05T06:30:00.000Z',
          '2022-10-07T12:00:00.000Z',
        ]);
        expect(filled(joined)).toHaveLength(63);
      },
    );
  });

  it('accept a token only with the request that produced it', async () => {
    const app = await startCounts();
    const span = { start_time: '2022-07-01T00:00:00Z' };
    const { next = '' } = await app.page('all', 'cat', span);
    expect(next).toMatch(/^[0-9a-z]+$/);
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
    const app = await startCounts([old]);
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
    const app = await startCounts([...posts, repost]);
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
    const app = await startCounts();
    const asUser = await app.get('/2/tweets/counts/recent?query=cat', await app.as('alice'));
    expect([asUser.status, asUser.body.title]).toEqual([403, 'Unsupported Authentication']);
    const apps = (standardWorld()['apps'] ?? []).map((each) => ({ ...(each as object), track: 'standard' }));
    const standard = await startCounts([], { apps });
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
    const app = await startCounts([], { apps });
    const { headers } = await app.get(`/2/tweets/counts/${product}?query=cat`, app.bearer);
    expect([headers['x-rate-limit-limit'], headers['x-rate-limit-remaining']]).toEqual([
      limit,
      String(Number(limit) - 1),
    ]);
  });
});

describe('an invalid request returns 400', () => {
  let app: CountServer;
  beforeAll(async () => {
    app = await openCounts();
  });
  afterAll(() => app.close());

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
    const answer = await app.get(`/2/tweets/counts/recent?${search}`, app.bearer);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('all fields are returned regardless of search_count.fields', async () => {
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
    const app = await startCounts(posts, {
      likes: likes.filter(({ post: id }) => posts.find((each) => each.id === id)?.author !== 'dave'),
    });
    let counted = 0;
    for (let n = 0; n < rounds(30); n += 1) {
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
    expect(counted).toBeGreaterThan(150);
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
