import { describe, expect, test } from 'vitest';
import { ID, MINUTE_MS, NOW, postId, startNetwork, type Network } from './support/network.js';

/** The activity on own posts over time (docs/api/posts.md#analytics). */

const HOUR_MS = 60 * MINUTE_MS;
const START = NOW;
const at = (ms: number): string => new Date(Date.parse(NOW) + ms).toISOString();

const url = (ids: string, more = '', end = at(24 * HOUR_MS)) =>
  `/2/tweets/analytics?ids=${ids}&start_time=${START}&end_time=${end}${more}`;

const metrics = (counts: object) => ({
  engagements: 0,
  likes: 0,
  quote_tweets: 0,
  replies: 0,
  retweets: 0,
  ...counts,
});

/** A post of alice with a like and a reply in the first hour, and a repost and a quote in the third. */
async function startActivity(): Promise<{ network: Network; id: string }> {
  const network = await startNetwork();
  const id = await network.posted('alice', 'A heron');
  await network.as('bob').post(`/2/users/${ID.bob}/likes`, { tweet_id: id });
  await network.posted('carol', { text: 'Nice', reply: { in_reply_to_tweet_id: id } });
  await network.advance(2 * HOUR_MS);
  await network.as('dave').post(`/2/users/${ID.dave}/retweets`, { tweet_id: id });
  const quote = await network.posted('erin', { text: 'Look', quote_tweet_id: id });
  await network.as('frank').post(`/2/users/${ID.frank}/retweets`, { tweet_id: quote });
  return { network, id };
}

describe('analytics', () => {
  test('of an edited post are the same for all versions', async () => {
    const network = await startNetwork();
    const first = await network.posted('alice', 'A haron');
    await network.as('bob').post(`/2/users/${ID.bob}/likes`, { tweet_id: first });
    const edit = { text: 'A heron', edit_options: { previous_post_id: first } };
    const second = await network.posted('alice', edit);
    await network.posted('carol', { text: 'Nice', reply: { in_reply_to_tweet_id: second } });
    const { body } = await network.as('alice').get(url(`${first},${second}`));
    const shown = [{ timestamp: START, metrics: metrics({ engagements: 2, likes: 1, replies: 1 }) }];
    expect(body.data).toEqual([first, second].map((id) => ({ id, timestamped_metrics: shown })));
  });

  test('count each kind of activity by period', async () => {
    const { network, id } = await startActivity();
    const hourly = await network.as('alice').get(url(id, '&granularity=hourly'));
    expect([hourly.status, hourly.body]).toEqual([
      200,
      {
        data: [
          {
            id,
            timestamped_metrics: [
              { timestamp: START, metrics: metrics({ engagements: 2, likes: 1, replies: 1 }) },
              {
                timestamp: at(2 * HOUR_MS),
                metrics: metrics({ engagements: 2, retweets: 1, quote_tweets: 1 }),
              },
            ],
          },
        ],
        meta: { result_count: 1 },
      },
    ]);
    const total = await network.as('alice').get(url(id));
    const sum = metrics({ engagements: 4, likes: 1, replies: 1, retweets: 1, quote_tweets: 1 });
    expect(total.body.data[0].timestamped_metrics).toEqual([{ timestamp: START, metrics: sum }]);
  });

  test('leave out what was undone and what lies outside', async () => {
    const { network, id } = await startActivity();
    await network.as('bob').delete(`/2/users/${ID.bob}/likes/${id}`);
    const { body } = await network.as('alice').get(url(id, '', at(HOUR_MS)));
    expect(body.data[0].timestamped_metrics[0].metrics).toEqual(metrics({ engagements: 1, replies: 1 }));
  });

  test('are for own posts only', async () => {
    const { network, id } = await startActivity();
    const quiet = await network.posted('bob', 'Quiet');
    const { status, body } = await network.as('bob').get(url(`${id},${quiet},${postId(99)}`));
    expect([status, body.data]).toEqual([200, [{ id: quiet }]]);
    expect(body.errors.map(({ title, value }: Record<string, string>) => [title, value])).toEqual([
      ['Authorization Error', id],
      ['Not Found Error', postId(99)],
    ]);
    expect((await network.app.get(url(id))).status).toBe(403);
  });

  test.each([
    url('abc'),
    url('1', '&granularity=yearly'),
    url('1', '', START),
    url('1', '&granularity=hourly', at(1_001 * HOUR_MS)),
    `/2/tweets/analytics?ids=1&start_time=${START}`,
    `/2/tweets/analytics?start_time=${START}&end_time=${at(1)}`,
  ])('%s returns 400', async (path) => {
    const network = await startNetwork();
    expect((await network.as('alice').get(path)).status).toBe(400);
  });
});
