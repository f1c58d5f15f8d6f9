import { describe, expect, test } from 'vitest';
import { refusal } from './support/errors.js';
import { postId, PUBLIC_URL, startNetwork, type World } from './support/network.js';

/** Quotes: references, the link behind the text, refusals (docs/api/posts.md#replies-quotes-and-reposts, docs/api/people.md#follows-blocks-and-mutes). */

const GONE = refusal('You attempted to quote a Tweet that is deleted or not visible to you.');
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

const ORIGINAL = postId(1);
const world: World = { posts: [{ id: ORIGINAL, author: 'alice', text: 'Original' }] };
const quote = { text: 'Look', quote_tweet_id: ORIGINAL };

describe('a quote', () => {
  test('refers to the post, starts a conversation of its own and ends with the post’s link', async () => {
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

  test('counts on the quoted post, and not as a reply', async () => {
    const { as, posted } = await startNetwork(world);
    await posted('bob', quote);
    await posted('carol', quote);
    const { body } = await as('dave').get(`/2/tweets/${ORIGINAL}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics).toMatchObject({ quote_count: 2, reply_count: 0, retweet_count: 0 });
  });

  test('has room for 280 beside the link', async () => {
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
    ['here', `${PUBLIC_URL}/alice/status/${ORIGINAL}`],
    ['at the original', `https://twitter.com/alice/status/${ORIGINAL}`],
    ['at its newer name, with a query', `https://x.com/alice/status/${ORIGINAL}?s=20`],
  ])('is also made by a status link at the end of the text, %s, which stays as typed', async (_, link) => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('bob', `Look ${link}`);
    const { body } = await as('carol').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.text).toBe(`Look ${link}`);
    expect(body.data.referenced_tweets).toEqual([{ type: 'quoted', id: ORIGINAL }]);
  });

  test('is not made by a link to a post that is not there: the text is a text', async () => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('bob', `Look ${PUBLIC_URL}/alice/status/404`);
    const { body } = await as('carol').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.referenced_tweets).toBeUndefined();
  });

  test('needs text (4.4 rule 1)', async () => {
    const { as } = await startNetwork(world);
    const { status } = await as('bob').post('/2/tweets', { quote_tweet_id: ORIGINAL });
    expect(status).toBe(400);
  });
});

describe('quoting is refused', () => {
  test('for a missing post', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('bob').post('/2/tweets', { text: 'Look', quote_tweet_id: '404' });
    expect(status).toBe(403);
    expect(body).toEqual(GONE);
  });

  test('for a protected author’s post: strangers do not see it, followers may not carry it outside', async () => {
    const { as } = await startNetwork({
      ...world,
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'bob', to: 'alice' }],
    });
    const stranger = await as('carol').post('/2/tweets', quote);
    expect([stranger.status, stranger.body]).toEqual([403, GONE]);
    const follower = await as('bob').post('/2/tweets', quote);
    expect([follower.status, follower.body]).toEqual([403, NOT_PERMITTED]);
    expect((await as('alice').post('/2/tweets', quote)).status).toBe(201);
  });

  test('for a followers-only post, also by followers', async () => {
    const { as } = await startNetwork({
      posts: [{ id: ORIGINAL, author: 'alice', text: 'Just us', super_followers_only: true }],
      follows: [{ from: 'bob', to: 'alice' }],
    });
    const { status, body } = await as('bob').post('/2/tweets', quote);
    expect([status, body]).toEqual([403, NOT_PERMITTED]);
  });

  test('over a block, either way', async () => {
    const { as } = await startNetwork({
      ...world,
      blocks: [
        { from: 'alice', to: 'bob' },
        { from: 'carol', to: 'alice' },
      ],
    });
    const blocked = await as('bob').post('/2/tweets', quote);
    expect([blocked.status, blocked.body]).toEqual([403, GONE]);
    const blocker = await as('carol').post('/2/tweets', quote);
    expect([blocker.status, blocker.body]).toEqual([403, NOT_PERMITTED]);
  });

  test('not by a status link in the text: what may not be quoted is a plain link', async () => {
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
