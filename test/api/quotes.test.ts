import { describe, expect, test } from 'vitest';
import { notAuthorized, notFound } from './support/errors.js';
import { ID, postId, startNetwork } from './support/network.js';
import { idsIn, pageAt, walkPages } from './support/pages.js';

const POST = postId(1);
const PATH = `/2/tweets/${POST}/quote_tweets`;

const quote = (n: number, more: object = {}) => ({
  id: postId(n),
  author: 'bob',
  text: `look ${n}`,
  quote_of: POST,
  ...more,
});

describe('quotes of a post', () => {
  test('are listed newest first, forward only, and joined pages equal the whole', async () => {
    const network = await startNetwork({
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        ...Array.from({ length: 25 }, (_, at) => quote(at + 2)),
      ],
    });
    const whole = Array.from({ length: 25 }, (_, at) => postId(26 - at));
    const first = await pageAt(network.app, PATH);
    expect(first.ids).toEqual(whole.slice(0, 10));
    expect(Object.keys(first.meta).sort()).toEqual(['next_token', 'result_count']);
    const pages = await walkPages(network.app, PATH, 10);
    expect(pages.map((page) => page.ids.length)).toEqual([10, 10, 5]);
    expect(pages.flatMap((page) => page.ids)).toEqual(whole);
    expect(pages.every((page) => page.meta.previous_token === undefined)).toBe(true);
    expect(pages.at(-1)?.meta).toEqual({ result_count: 5 });
  });

  test('accept a max_results of 10 to 100', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    for (const max of [9, 101]) {
      const { status, body } = await network.app.get(`${PATH}?max_results=${max}`);
      expect(status).toBe(400);
      expect(body.errors[0].message).toBe(
        `The \`max_results\` query parameter value [${max}] is not between 10 and 100`,
      );
    }
  });

  test('are listed with their reposts, and can exclude replies or reposts', async () => {
    const network = await startNetwork({
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', text: 'start' },
        quote(3),
        quote(4, { in_reply_to: postId(2) }),
        { id: postId(5), author: 'carol', repost_of: postId(3) },
      ],
    });
    const idsFor = async (query: string) => (await pageAt(network.app, PATH, query)).ids;
    expect(await idsFor('')).toEqual([5, 4, 3].map(postId));
    expect(await idsFor('?exclude=retweets')).toEqual([4, 3].map(postId));
    expect(await idsFor('?exclude=replies')).toEqual([5, 3].map(postId));
    expect(await idsFor('?exclude=replies,retweets')).toEqual([postId(3)]);
    const { status, body } = await network.app.get(`${PATH}?exclude=quotes`);
    expect([status, body.errors[0].message]).toEqual([
      400,
      'The `exclude` query parameter value [quotes] is not one of [replies,retweets]',
    ]);
    const { body: counted } = await network.app.get(`/2/tweets/${POST}?tweet.fields=public_metrics`);
    expect(counted.data.public_metrics.quote_count).toBe(2);
  });

  test('are removed with the quote, as are its reposts', async () => {
    const network = await startNetwork({
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        quote(2),
        quote(3),
        { id: postId(4), author: 'carol', repost_of: postId(2) },
        { id: postId(5), author: 'dave', repost_of: postId(3) },
      ],
    });
    const ids = async () => (await pageAt(network.app, PATH)).ids;
    await network.as('carol').delete(`/2/users/${ID.carol}/retweets/${postId(2)}`);
    expect(await ids()).toEqual([5, 3, 2].map(postId));
    await network.as('bob').delete(`/2/tweets/${postId(3)}`);
    expect(await ids()).toEqual([postId(2)]);
    await network.as('erin').post(`/2/users/${ID.erin}/retweets`, { tweet_id: postId(2) });
    expect(await ids()).toHaveLength(2);
  });

  test('by hidden authors are omitted; hidden and unknown posts return none', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      follows: [{ from: 'erin', to: 'carol' }],
      blocks: [{ from: 'dave', to: 'frank' }],
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        quote(2, { author: 'carol' }),
        quote(3, { author: 'dave' }),
        { id: postId(4), author: 'carol', text: 'hidden' },
      ],
    });
    expect((await pageAt(network.as('erin'), PATH)).ids).toEqual([3, 2].map(postId));
    expect((await pageAt(network.as('frank'), PATH)).ids).toEqual([]);
    const hidden = await network.as('frank').get(`/2/tweets/${postId(4)}/quote_tweets`);
    expect(hidden.body).toEqual({
      errors: [notAuthorized('id', postId(4), 'data')],
      meta: { result_count: 0 },
    });
    const unknown = await network.app.get(`/2/tweets/${postId(99)}/quote_tweets`);
    expect(unknown.body.errors).toEqual([notFound('tweet', 'id', postId(99))]);
  });

  test('are listed as soon as they are created', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const id = await network.posted('bob', { text: 'look', quote_tweet_id: POST });
    const answer = await network.app.get(`${PATH}?expansions=referenced_tweets.id`);
    expect(idsIn(answer)).toEqual([id]);
    expect(answer.body.includes.tweets[0].id).toBe(POST);
  });
});
