import { describe, expect, test } from 'vitest';
import { fieldRefused } from './support/errors.js';
import { DAY_MS, postId, startNetwork, type World } from './support/network.js';

/**
 * Metrics that are visible to the author only (docs/api/objects.md#post, docs/api/errors.md#partial-errors,
 * docs/api/limits.md#monthly-post-cap).
 */

const OWN = postId(1);
const OTHER = postId(2);
const REPOST = postId(3);

const world: World = {
  posts: [
    { id: OWN, author: 'alice', text: 'Mine' },
    { id: OTHER, author: 'bob', text: 'Not mine', in_reply_to: OWN },
    { id: REPOST, author: 'alice', repost_of: OTHER },
    { id: postId(4), author: 'bob', text: 'Quote', quote_of: OWN },
    { id: postId(5), author: 'alice', text: 'Quoting back', quote_of: OTHER },
  ],
  likes: [{ user: 'carol', post: OWN }],
};

const NON_PUBLIC = ['impression_count', 'url_link_clicks', 'user_profile_clicks'].map(
  (leaf) => `non_public_metrics.${leaf}`,
);
const ORGANIC = [
  'impression_count',
  'like_count',
  'reply_count',
  'retweet_count',
  'url_link_clicks',
  'user_profile_clicks',
].map((leaf) => `organic_metrics.${leaf}`);

describe('private metrics', () => {
  test('are returned to the author', async () => {
    const { as } = await startNetwork(world);
    const { status, body } = await as('alice').get(
      `/2/tweets/${OWN}?tweet.fields=non_public_metrics,organic_metrics`,
    );
    expect(status).toBe(200);
    expect(body.errors).toBeUndefined();
    expect(body.data.non_public_metrics.impression_count).toBe(0);
    expect(body.data.organic_metrics).toMatchObject({
      impression_count: 0,
      like_count: 1,
      reply_count: 1,
      retweet_count: 0,
    });
  });

  test.each([
    ['non_public_metrics', NON_PUBLIC],
    ['organic_metrics', ORGANIC],
  ])('%s give others one error per member and no post', async (field, leaves) => {
    const { as, app } = await startNetwork(world);
    for (const caller of [app, as('bob')]) {
      const { status, body } = await caller.get(`/2/tweets/${OWN}?tweet.fields=${field}`);
      expect(status).toBe(200);
      expect(body.data).toBeUndefined();
      expect(body.errors).toEqual(leaves.map((leaf) => fieldRefused('id', OWN, leaf)));
    }
  });

  test('of several posts are returned for one’s own, with errors for the others', async () => {
    const { as } = await startNetwork(world);
    const { body } = await as('alice').get(`/2/tweets?ids=${OTHER},${OWN}&tweet.fields=non_public_metrics`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ id: OWN, non_public_metrics: { impression_count: 0 } });
    expect(body.errors).toEqual(NON_PUBLIC.map((leaf) => fieldRefused('ids', OTHER, leaf)));
  });

  test('are refused for one’s own repost', async () => {
    const { as } = await startNetwork(world);
    const { body } = await as('alice').get(`/2/tweets/${REPOST}?tweet.fields=non_public_metrics`);
    expect(body.data).toBeUndefined();
    expect(body.errors).toEqual(NON_PUBLIC.map((leaf) => fieldRefused('id', REPOST, leaf)));
  });

  test('are unavailable after 30 days', async () => {
    const { as, advance } = await startNetwork(world);
    const path = `/2/tweets/${OWN}?tweet.fields=non_public_metrics`;
    await advance(28 * DAY_MS);
    expect((await as('alice').get(path)).body.data.id).toBe(OWN);
    await advance(DAY_MS);
    const { body } = await as('alice').get(path);
    expect(body.data).toBeUndefined();
    expect(body.errors).toEqual(NON_PUBLIC.map((leaf) => fieldRefused('id', OWN, leaf)));
  });

  test('of included posts are returned to their author only', async () => {
    const { as } = await startNetwork(world);
    const path = (id: string): string =>
      `/2/tweets/${id}?expansions=referenced_tweets.id&tweet.fields=non_public_metrics`;
    const mine = await as('alice').get(path(postId(5)));
    expect(mine.body.data.non_public_metrics).toBeDefined();
    for (const post of mine.body.includes?.tweets ?? []) expect(post.non_public_metrics).toBeUndefined();
  });

  test('of included posts are unavailable after 30 days', async () => {
    const { as, advance, posted } = await startNetwork(world);
    await advance(31 * DAY_MS);
    const id = await posted('alice', { text: 'Remember this?', quote_tweet_id: OWN });
    const { body } = await as('alice').get(
      `/2/tweets/${id}?expansions=referenced_tweets.id&tweet.fields=non_public_metrics,organic_metrics`,
    );
    expect(body.data.non_public_metrics).toBeDefined();
    for (const post of body.includes?.tweets ?? []) {
      expect(post.non_public_metrics).toBeUndefined();
      expect(post.organic_metrics).toBeUndefined();
    }
  });

  test('are not part of public_metrics', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${OWN}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics).toMatchObject({ like_count: 1, reply_count: 1, quote_count: 1 });
    expect(body.errors).toBeUndefined();
  });
});
