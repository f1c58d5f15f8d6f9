import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, postId, startNetwork } from './support/network.js';

/** Trends by hashtags (docs/api/search.md#trends). */

const WORLD = '/2/trends/by/woeid/1';
const PERSONAL = '/2/users/personalized_trends';

describe('the trends of the world', () => {
  test('are hashtags of the last 24 hours, those with the most authors first', async () => {
    const network = await startNetwork({
      posts: [{ id: postId(1), author: 'alice', text: 'two days ago #old' }],
    });
    for (const name of ['alice', 'bob'] as const) await network.posted(name, `#Pond and #pond by ${name}`);
    for (const n of [1, 2, 3]) await network.posted('carol', `#loud ${n}`);
    const { status, body } = await network.app.get(WORLD);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { trend_name: '#pond', tweet_count: 2 },
        { trend_name: '#loud', tweet_count: 3 },
      ],
      meta: { result_count: 2 },
    });
    expect((await network.app.get(`${WORLD}?max_trends=1`)).body.data).toHaveLength(1);
  });

  test('count posts whose ids contain no time, as those of worlds', async () => {
    const network = await startNetwork({
      posts: [
        { id: '7', author: 'alice', text: 'now #pond', created_at: 'now-1m' },
        { id: '6', author: 'bob', text: 'then #old', created_at: 'now-2d' },
      ],
    });
    await network.posted('carol', '#pond');
    expect((await network.app.get(WORLD)).body.data).toEqual([{ trend_name: '#pond', tweet_count: 2 }]);
  });

  test('change within a minute, and end with the day', async () => {
    const network = await startNetwork();
    expect((await network.app.get(WORLD)).body).toEqual({ meta: { result_count: 0 } });
    await network.posted('alice', '#pond');
    await network.advance(MINUTE_MS);
    expect((await network.app.get(WORLD)).body.data).toEqual([{ trend_name: '#pond', tweet_count: 1 }]);
    await network.advance(DAY_MS);
    expect((await network.app.get(WORLD)).body).toEqual({ meta: { result_count: 0 } });
  });

  test('do not show what only some may read', async () => {
    const network = await startNetwork({ users: [{ username: 'alice', protected: true }] });
    await network.posted('alice', '#secret');
    await network.posted('bob', '#gone');
    await network.suspend('bob');
    await network.posted('carol', '#shown');
    expect((await network.as('dave').get(WORLD)).body.data).toEqual([
      { trend_name: '#shown', tweet_count: 1 },
    ]);
  });

  test.each(['2', '23424977', '0'])('of the place %s are not found', async (woeid) => {
    const network = await startNetwork();
    const { status, body } = await network.app.get(`/2/trends/by/woeid/${woeid}`);
    expect([status, body.errors[0].title, body.errors[0].value]).toEqual([200, 'Not Found Error', woeid]);
  });

  test.each([
    '/2/trends/by/woeid/abc',
    `${WORLD}?max_trends=0`,
    `${WORLD}?max_trends=51`,
    `${WORLD}?trend.fields=x`,
  ])('%s returns 400', async (path) => {
    const network = await startNetwork();
    expect((await network.app.get(path)).status).toBe(400);
  });
});

test('personalized trends count the own posts and those of followed users', async () => {
  const network = await startNetwork({
    users: [{ username: 'bob', protected: true }],
    follows: [{ from: 'alice', to: 'bob' }],
  });
  await network.posted('alice', '#own');
  await network.posted('bob', '#secret #own');
  await network.posted('carol', '#stranger');
  const { status, body } = await network.as('alice').get(PERSONAL);
  expect([status, body.data]).toEqual([
    200,
    [
      { trend_name: '#own', category: 'Hashtag', post_count: '2 posts', trending_since: expect.any(String) },
      {
        trend_name: '#secret',
        category: 'Hashtag',
        post_count: '1 post',
        trending_since: expect.any(String),
      },
    ],
  ]);
  expect((await network.as('dave').get(PERSONAL)).body).toEqual({ meta: { result_count: 0 } });
  expect((await network.app.get(PERSONAL)).status).toBe(403);
});
