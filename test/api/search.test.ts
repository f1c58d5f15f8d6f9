import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import { ID, MINUTE_MS, NOW, postId, postTime, startNetwork, type Network } from './support/network.js';

const NOW_MS = Date.parse(NOW);
const DAY = 24 * 60 * MINUTE_MS;

function recent(query: string, more = ''): string {
  return `/2/tweets/search/recent?query=${encodeURIComponent(query)}${more}`;
}

function idsOf(answer: { body: { data?: { id: string }[] } }): string[] {
  return (answer.body.data ?? []).map(({ id }) => id);
}

function post(n: number, text: string, more: Record<string, unknown> = {}) {
  return { id: postId(n), author: 'bob', text, created_at: postTime(n), ...more };
}

async function messageOf(network: Network, path: string): Promise<string> {
  const answer = await network.app.get(path);
  expect(answer.status, path).toBe(400);
  expect(answer.body.title).toBe('Invalid Request');
  return answer.body.errors[0].message as string;
}

describe('recent search', () => {
  it('finds posts by words, newest first, ten per page by default, with ids in meta', async () => {
    const posts = Array.from({ length: 12 }, (_, n) => post(n + 1, `the cat number ${n + 1}`));
    const network = await startNetwork({ posts: [...posts, post(20, 'a dog')] });
    const answer = await network.app.get(recent('CAT number'));
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(postId));
    expect(answer.body.meta).toEqual({
      newest_id: postId(12),
      oldest_id: postId(3),
      result_count: 10,
      next_token: expect.stringMatching(/^[a-z2-7]+$/),
    });
  });

  it('returns an empty page without data', async () => {
    const network = await startNetwork({ posts: [post(1, 'a dog')] });
    const answer = await network.app.get(recent('cat OR from:nobody'));
    expect(answer.body).toEqual({ meta: { result_count: 0 } });
    expect((await network.app.get(recent('from:nobody'))).body).toEqual({ meta: { result_count: 0 } });
  });

  it('accepts users by name and id, fields and expansions', async () => {
    const network = await startNetwork({
      posts: [post(1, 'hello'), post(2, 'hello back', { author: 'alice', in_reply_to: postId(1) })],
    });
    expect(idsOf(await network.app.get(recent('from:Bob')))).toEqual([postId(1)]);
    expect(idsOf(await network.app.get(recent(`to:${ID.bob}`)))).toEqual([postId(2)]);
    const shown = await network.app.get(
      recent('is:reply hello', '&tweet.fields=author_id&expansions=author_id,referenced_tweets.id'),
    );
    expect(shown.body.data[0]).toMatchObject({ id: postId(2), author_id: ID.alice });
    expect(shown.body.includes.users.map((user: { username: string }) => user.username)).toEqual(['alice']);
    expect(shown.body.includes.tweets[0].id).toBe(postId(1));
  });

  it('finds a post once it is 30 seconds old', async () => {
    const network = await startNetwork();
    const id = await network.posted('alice', 'something new');
    expect(idsOf(await network.app.get(recent('something')))).toEqual([]);
    await network.advance(29_000);
    expect(idsOf(await network.app.get(recent('something')))).toEqual([]);
    await network.advance(2_000);
    expect(idsOf(await network.app.get(recent('something')))).toEqual([id]);
  });

  it('pages through a fixed window, with either token parameter, while posts are added and deleted', async () => {
    const posts = Array.from({ length: 25 }, (_, n) => post(n + 1, `cat ${n + 1}`));
    const network = await startNetwork({ posts });
    const first = await network.app.get(recent('cat'));
    await network.add({ posts: [post(30, 'cat later'), post(0, 'cat before')] });
    await network.as('bob').delete(`/2/tweets/${postId(10)}`);
    await network.advance(8 * DAY);
    const second = await network.app.get(recent('cat', `&next_token=${first.body.meta.next_token}`));
    const third = await network.app.get(recent('cat', `&pagination_token=${second.body.meta.next_token}`));
    expect([first, second, third].flatMap(idsOf)).toEqual(
      [25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(postId),
    );
    expect(third.body.meta.next_token).toBeUndefined();
    expect(second.body.meta.previous_token).toBeUndefined();
    const again = await network.app.get(recent('cat', `&next_token=${first.body.meta.next_token}`));
    expect(again.body).toEqual(second.body);
  });

  it('accepts a token with the same query and window only, and with any fields and page size', async () => {
    const posts = Array.from({ length: 32 }, (_, n) => post(n + 1, `cat ${n + 1}`));
    const network = await startNetwork({ posts });
    const { app, research } = network;
    const parameters = `&start_time=${postTime(1)}&since_id=${postId(1)}`;
    const token = (await app.get(recent('cat', parameters))).body.meta.next_token as string;
    const next = `&next_token=${token}`;
    const larger = await app.get(recent('cat', `${parameters}${next}&max_results=20&tweet.fields=lang`));
    expect([idsOf(larger).length, larger.body.data[0].lang]).toEqual([20, expect.any(String)]);
    for (const [caller, path] of [
      [app, recent('dog', parameters + next)],
      [app, recent('cat ', parameters + next)],
      [app, recent('cat', `${parameters}${next}&sort_order=relevancy`)],
      [app, recent('cat', `${parameters}${next}&end_time=${postTime(20)}`)],
      [app, recent('cat', `&start_time=${postTime(1)}&since_id=${postId(2)}${next}`)],
      [app, recent('cat', parameters + next.slice(0, -1))],
      [research, recent('cat', parameters + next)],
      [network.as('alice'), recent('cat', parameters + next)],
      [app, recent('cat', parameters + next).replace('search', 'counts')],
      [research, recent('cat', parameters + next).replace('recent', 'all')],
    ] as const) {
      const { status, body } = await caller.get(path);
      expect([status, body.errors[0].message], path).toEqual([
        400,
        expect.stringMatching(/^The `next_token` query parameter value \[.*\] is not valid$/),
      ]);
    }
    await messageOf(network, recent('cat', `${parameters}${next}&pagination_token=${token}`));
  });

  it('treats start_time as inclusive and end_time as exclusive', async () => {
    const at = (ms: number): string => String(firstIdAt(NOW_MS - DAY + ms));
    const posts = [-1, 0, 999, 1_000, 1_999, 2_000].map((ms) => ({
      id: at(ms),
      author: 'bob',
      text: `cat ${ms}`,
    }));
    const network = await startNetwork({ posts });
    const second = (s: number): string => new Date(NOW_MS - DAY + s * 1000).toISOString();
    const window = `&start_time=${second(0)}&end_time=${second(2)}`;
    expect(idsOf(await network.app.get(recent('cat', window)))).toEqual([1_999, 1_000, 999, 0].map(at));
  });

  it('treats ids as exclusive bounds, and prefers since_id to start_time', async () => {
    const network = await startNetwork({ posts: [1, 2, 3, 4, 5].map((n) => post(n, `cat ${n}`)) });
    const bounds = `&since_id=${postId(1)}&until_id=${postId(5)}`;
    expect(idsOf(await network.app.get(recent('cat', bounds)))).toEqual([4, 3, 2].map(postId));
    const both = `&since_id=${postId(1)}&start_time=${encodeURIComponent(postTime(4))}`;
    expect(idsOf(await network.app.get(recent('cat', both)))).toEqual([5, 4, 3, 2].map(postId));
    const ignored = `&since_id=${postId(3)}&start_time=2006-01-01T00:00:00Z`;
    expect(idsOf(await network.app.get(recent('cat', ignored)))).toEqual([5, 4].map(postId));
    const mixed = `&until_id=${postId(4)}&start_time=${encodeURIComponent(postTime(2))}`;
    expect(idsOf(await network.app.get(recent('cat', mixed)))).toEqual([3, 2].map(postId));
  });

  it('uses the time of a post when its id carries none', async () => {
    const network = await startNetwork({
      posts: [
        {
          id: '7',
          author: 'bob',
          text: 'cat of yesterday',
          created_at: new Date(NOW_MS - DAY).toISOString(),
        },
        { id: '8', author: 'bob', text: 'cat of old', created_at: '2009-05-01T00:00:00Z' },
        { id: postId(3), author: 'bob', text: 'cat of older', created_at: '2012-05-01T00:00:00Z' },
        post(1, 'cat of its time'),
      ],
    });
    expect(idsOf(await network.app.get(recent('cat')))).toEqual([postId(1), '7']);
  });

  it('sorts by engagement for relevancy, and returns each post once', async () => {
    const names = ['alice', 'bob', 'carol', 'dave'];
    const posts = Array.from({ length: 23 }, (_, n) => post(n, `cat ${n}`));
    const likes = [5, 9, 14].flatMap((n, place) =>
      names.slice(0, place + 1).map((user) => ({ user, post: postId(n) })),
    );
    const network = await startNetwork({ posts, likes });
    const first = await network.app.get(recent('cat', '&sort_order=relevancy'));
    expect(idsOf(first).slice(0, 4)).toEqual([14, 9, 5, 22].map(postId));
    // The greatest and the least id, whatever the order.
    expect(first.body.meta).toMatchObject({ newest_id: postId(22), oldest_id: postId(5), result_count: 10 });
    const second = await network.app.get(
      recent('cat', `&sort_order=relevancy&next_token=${first.body.meta.next_token}`),
    );
    const third = await network.app.get(
      recent('cat', `&sort_order=relevancy&next_token=${second.body.meta.next_token}`),
    );
    const all = [first, second, third].flatMap(idsOf);
    expect(all).toHaveLength(23);
    expect(new Set(all).size).toBe(23);
    expect(third.body.meta.next_token).toBeUndefined();
  });

  it('returns each post once by relevancy when likes change between the pages', async () => {
    const posts = Array.from({ length: 34 }, (_, n) => post(n, `cat ${n}`));
    const likes = [8, 9].map((n) => ({ user: 'carol', post: postId(n) }));
    const network = await startNetwork({ posts, likes });
    const seen: string[] = [];
    for (let token = ''; ;) {
      const page = await network.app.get(recent('cat', `&sort_order=relevancy${token}`));
      seen.push(...idsOf(page));
      if (page.body.meta.next_token === undefined) break;
      token = `&next_token=${page.body.meta.next_token}`;
      // A returned post moves down, and one not yet returned moves to the top.
      await network.as('carol').delete(`/2/users/${ID.carol}/likes/${seen.at(0)}`);
      const waiting = postId(seen.length / 10);
      await network.as('carol').post(`/2/users/${ID.carol}/likes`, { tweet_id: waiting });
      if (page.body.meta.result_count === 10 && seen.length < 30) {
        const next = await network.app.get(recent('cat', `&sort_order=relevancy${token}`));
        expect(idsOf(next)[0]).toBe(waiting);
      }
    }
    expect(seen).toHaveLength(34);
    expect(new Set(seen).size).toBe(34);
  });

  it('continues by relevancy when posts are deleted between the pages', async () => {
    const posts = Array.from({ length: 25 }, (_, n) => post(n, `cat ${n}`));
    const network = await startNetwork({ posts });
    const first = await network.app.get(recent('cat', '&sort_order=relevancy'));
    for (const n of [3, 20]) await network.as('bob').delete(`/2/tweets/${postId(n)}`);
    const second = await network.app.get(
      recent('cat', `&sort_order=relevancy&max_results=100&next_token=${first.body.meta.next_token}`),
    );
    expect(idsOf(second)).toEqual(
      Array.from({ length: 15 }, (_, n) => postId(14 - n)).filter((id) => id !== postId(3)),
    );
  });
});

describe('recent search returns 400 for', () => {
  const minute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

  it.each([
    ['max_results=9', 'The `max_results` query parameter value [9] is not between 10 and 100'],
    ['max_results=101', 'The `max_results` query parameter value [101] is not between 10 and 100'],
    ['sort_order=best', 'The `sort_order` query parameter value [best] is not one of [recency,relevancy]'],
    [
      'previous_token=abc',
      'The query parameter [previous_token] is not one of [query,start_time,end_time,since_id,until_id,max_results,' +
        'next_token,pagination_token,sort_order,expansions,tweet.fields,media.fields,poll.fields,place.fields,user.fields]',
    ],
    [
      'start_time=2022-01-01T00:00:00Z',
      `Invalid 'start_time':'2022-01-01T00:00Z'. 'start_time' must be on or after ${minute(NOW_MS - 7 * DAY)}`,
    ],
    [
      'end_time=2022-01-01T00:00:00Z',
      `Invalid 'end_time':'2022-01-01T00:00Z'. 'end_time' must be on or after ${minute(NOW_MS - 7 * DAY)}`,
    ],
    [
      `end_time=${new Date(NOW_MS - 9_000).toISOString()}`,
      `Invalid 'end_time':'${minute(NOW_MS)}'. 'end_time' must be a minimum of 10 seconds prior to the request time.`,
    ],
    [
      `start_time=${new Date(NOW_MS - 9_000).toISOString()}`,
      `Invalid 'start_time':'${minute(NOW_MS)}'. 'start_time' must be a minimum of 10 seconds prior to the request time.`,
    ],
    [
      `start_time=${postTime(5)}&end_time=${postTime(5)}`,
      `Invalid 'end_time':'${minute(Date.parse(postTime(5)))}'. 'end_time' must be after 'start_time'`,
    ],
    [
      'since_id=1',
      `'since_id' must be a tweet id created after ${minute(NOW_MS - 7 * DAY)}. ` +
        `Please use a 'since_id' that is larger than ${firstIdAt(NOW_MS - 7 * DAY)}`,
    ],
  ])('%s', async (parameters, message) => {
    const network = await startNetwork();
    expect(await messageOf(network, recent('cat', `&${parameters}`))).toBe(message);
  });

  it('accepts an end_time exactly ten seconds ago', async () => {
    const network = await startNetwork();
    const end = new Date(NOW_MS - 10_000).toISOString();
    expect((await network.app.get(recent('cat', `&end_time=${end}`))).status).toBe(200);
  });

  it.each([
    ['', 'The `query` query parameter can not be empty'],
    [
      'has:media',
      'There were errors processing your request: is/has/lang cannot be used as a standalone operator (at position 1)',
    ],
    [
      "cat 'dog",
      "There were errors processing your request: no viable alternative at character ''' (at position 5)",
    ],
  ])('the query %j', async (query, message) => {
    const network = await startNetwork();
    const answer = await network.app.get(recent(query));
    expect(answer.body.errors[0]).toEqual({ parameters: { query: [query] }, message });
  });
});
