import { describe, expect, test } from 'vitest';
import { refusal } from './support/errors.js';
import { postId, PUBLIC_URL, startNetwork, type World } from './support/network.js';

/**
 * Quotes: references, the link after the text, and refusals (docs/api/posts.md#replies-quotes-and-reposts,
 * docs/api/people.md#follows-blocks-and-mutes).
 */

const NOT_VISIBLE = refusal('You attempted to quote a Tweet that is deleted or not visible to you.');
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

const ORIGINAL = postId(1);
const world: World = { posts: [{ id: ORIGINAL, author: 'alice', text: 'Original' }] };
const quote = { text: 'Look', quote_tweet_id: ORIGINAL };

describe('a quote', () => {
  test('references the post, starts its own conversation and ends with the link of the post', async () => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('bob', quote);
    const link = `${PUBLIC_URL}/alice/status/${ORIGINAL}`;
    const { body } = await as('carol').get(
      `/2/tweets/${id}?tweet.fields=referenced_tweets,conversation_id,in_reply_to_user_id,entities`,
    );
    expect(body.data).toEqual({
      id,
      text: `Look ${link}`,
      edit_history_tweet_ids: [id],
      conversation_id: id,
      referenced_tweets: [{ type: 'quoted', id: ORIGINAL }],
      entities: {
        urls: [
          {
            start: 5,
            end: 5 + link.length,
            url: link,
            expanded_url: link,
            display_url: link.replace('http://', ''),
          },
        ],
      },
    });
  });

  test('increases the quote count of the post, not its reply count', async () => {
    const { as, posted } = await startNetwork(world);
    await posted('bob', quote);
    await posted('carol', quote);
    const { body } = await as('dave').get(`/2/tweets/${ORIGINAL}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics).toMatchObject({ quote_count: 2, reply_count: 0, retweet_count: 0 });
  });

  test('can have a text of 280 in addition to the link', async () => {
    const { as } = await startNetwork(world);
    const { status } = await as('bob').post('/2/tweets', { ...quote, text: 'a'.repeat(280) });
    expect(status).toBe(201);
  });

  test('of a repost quotes the original', async () => {
    const { as, posted } = await startNetwork({
      posts: [...(world.posts ?? []), { id: postId(2), author: 'carol', repost_of: ORIGINAL }],
    });
    const id = await posted('bob', { text: 'Look', quote_tweet_id: postId(2) });
    const { body } = await as('dave').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.referenced_tweets).toEqual([{ type: 'quoted', id: ORIGINAL }]);
  });

  test.each([
    ['to this server', `${PUBLIC_URL}/alice/status/${ORIGINAL}`],
    ['to twitter.com', `https://twitter.com/alice/status/${ORIGINAL}`],
    ['to x.com, with a query', `https://x.com/alice/status/${ORIGINAL}?s=20`],
  ])('is also created by a status link at the end of the text %s, which is kept', async (_, link) => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('bob', `Look ${link}`);
    const { body } = await as('carol').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.text).toBe(`Look ${link}`);
    expect(body.data.referenced_tweets).toEqual([{ type: 'quoted', id: ORIGINAL }]);
  });

  test('is not created by a link to an unknown post', async () => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('bob', `Look ${PUBLIC_URL}/alice/status/404`);
    const { body } = await as('carol').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.referenced_tweets).toBeUndefined();
  });

  test('requires text', async () => {
    const { as } = await startNetwork(world);
    const { status } = await as('bob').post('/2/tweets', { quote_tweet_id: ORIGINAL });
    expect(status).toBe(400);
  });
});

describe('quoting returns 403', () => {
  test('for an unknown post', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('bob').post('/2/tweets', { text: 'Look', quote_tweet_id: '404' });
    expect(status).toBe(403);
    expect(body).toEqual(NOT_VISIBLE);
  });

  test('for a post of a protected author, with different messages for strangers and followers', async () => {
    const { as } = await startNetwork({
      ...world,
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'bob', to: 'alice' }],
    });
    const stranger = await as('carol').post('/2/tweets', quote);
    expect([stranger.status, stranger.body]).toEqual([403, NOT_VISIBLE]);
    const follower = await as('bob').post('/2/tweets', quote);
    expect([follower.status, follower.body]).toEqual([403, NOT_PERMITTED]);
    expect((await as('alice').post('/2/tweets', quote)).status).toBe(201);
  });

  test('for a followers-only post, also to followers', async () => {
    const { as } = await startNetwork({
      posts: [{ id: ORIGINAL, author: 'alice', text: 'Just us', super_followers_only: true }],
      follows: [{ from: 'bob', to: 'alice' }],
    });
    const { status, body } = await as('bob').post('/2/tweets', quote);
    expect([status, body]).toEqual([403, NOT_PERMITTED]);
  });

  test('with a block in either direction', async () => {
    const { as } = await startNetwork({
      ...world,
      blocks: [
        { from: 'alice', to: 'bob' },
        { from: 'carol', to: 'alice' },
      ],
    });
    const blocked = await as('bob').post('/2/tweets', quote);
    expect([blocked.status, blocked.body]).toEqual([403, NOT_VISIBLE]);
    const blocker = await as('carol').post('/2/tweets', quote);
    expect([blocker.status, blocker.body]).toEqual([403, NOT_PERMITTED]);
  });

  test('but a status link in the text of a post that cannot be quoted stays a plain link', async () => {
    const { as, posted } = await startNetwork({
      ...world,
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'bob', to: 'alice' }],
    });
    const id = await posted('bob', `Look https://twitter.com/alice/status/${ORIGINAL}`);
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.referenced_tweets).toBeUndefined();
  });
});
