import { describe, expect, test } from 'vitest';
import { missingTarget, notFound, refusal } from './support/errors.js';
import { ID, postId, startNetwork, type Caller, type Network, type World } from './support/network.js';

/** Deleting a post and what depends on it (docs/api/posts.md#deletion). */

const ROOT = postId(1);
const REPLY = postId(2);
const BELOW = postId(3);
const QUOTE = postId(4);
const REPOST = postId(5);
const LATER = postId(20);

const world: World = {
  posts: [
    { id: ROOT, author: 'alice', text: 'Root' },
    { id: REPLY, author: 'bob', text: 'Reply', in_reply_to: ROOT },
    { id: BELOW, author: 'carol', text: 'Below', in_reply_to: REPLY },
    { id: QUOTE, author: 'carol', text: 'Quote', quote_of: ROOT },
    { id: REPOST, author: 'dave', repost_of: ROOT },
  ],
  likes: [{ user: 'erin', post: ROOT }],
};

async function metricsOf(caller: Caller, id: string): Promise<unknown> {
  return (await caller.get(`/2/tweets/${id}?tweet.fields=public_metrics`)).body.data.public_metrics;
}

async function postCountOf(caller: Caller): Promise<number> {
  const { body } = await caller.get('/2/users/me?user.fields=public_metrics');
  return body.data.public_metrics.tweet_count as number;
}

describe('deleting a post', () => {
  test('returns deleted: true and makes it unavailable', async () => {
    const { as, app } = await startNetwork(world);
    const { status, body } = await as('alice').delete(`/2/tweets/${ROOT}`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { deleted: true } });
    const read = await app.get(`/2/tweets/${ROOT}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ errors: [notFound('tweet', 'id', ROOT)] });
  });

  test('that is deleted or unknown returns 404', async () => {
    const { as } = await startNetwork(world);
    await as('alice').delete(`/2/tweets/${ROOT}`);
    for (const id of [ROOT, '404']) {
      const { status, body } = await as('alice').delete(`/2/tweets/${id}`);
      expect(status).toBe(404);
      expect(body).toEqual(missingTarget('tweet', 'id', id));
    }
  });

  test('concurrently succeeds once', async () => {
    const { as } = await startNetwork(world);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => as('alice').delete(`/2/tweets/${ROOT}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 404),
    ]);
    expect(await postCountOf(as('alice'))).toBe(0);
  });

  test('of another user returns 403 and changes nothing', async () => {
    const { as } = await startNetwork(world);
    const { status, body } = await as('bob').delete(`/2/tweets/${ROOT}`);
    expect(status).toBe(403);
    expect(body).toEqual(refusal('You are not authorized to delete this Tweet.'));
    expect((await as('bob').get(`/2/tweets/${ROOT}`)).body.data.text).toBe('Root');
  });

  test('decreases the post count of its author', async () => {
    const { as } = await startNetwork(world);
    expect(await postCountOf(as('carol'))).toBe(2);
    await as('carol').delete(`/2/tweets/${QUOTE}`);
    expect(await postCountOf(as('carol'))).toBe(1);
  });

  test('decreases the reply count of its parent and the quote count of its quoted post', async () => {
    const { as, app } = await startNetwork(world);
    expect(await metricsOf(app, ROOT)).toMatchObject({ reply_count: 1, quote_count: 1, retweet_count: 1 });
    await as('bob').delete(`/2/tweets/${REPLY}`);
    await as('carol').delete(`/2/tweets/${QUOTE}`);
    expect(await metricsOf(app, ROOT)).toMatchObject({ reply_count: 0, quote_count: 0, retweet_count: 1 });
  });

  test('that is a repost keeps the original', async () => {
    const { as, app } = await startNetwork(world);
    await as('dave').delete(`/2/tweets/${REPOST}`);
    expect(await metricsOf(app, ROOT)).toMatchObject({ retweet_count: 0, like_count: 1 });
    expect((await app.get(`/2/tweets/${REPOST}`)).body.errors).toEqual([notFound('tweet', 'id', REPOST)]);
  });

  test('deletes its reposts', async () => {
    const { as, app } = await startNetwork(world);
    await as('alice').delete(`/2/tweets/${ROOT}`);
    expect((await app.get(`/2/tweets/${REPOST}`)).body).toEqual({
      errors: [notFound('tweet', 'id', REPOST)],
    });
    expect(await postCountOf(as('dave'))).toBe(0);
  });

  test('keeps its replies, whose parent is then not found', async () => {
    const { as, app } = await startNetwork(world);
    await as('alice').delete(`/2/tweets/${ROOT}`);
    const { status, body } = await app.get(
      `/2/tweets/${REPLY}?expansions=referenced_tweets.id&tweet.fields=conversation_id`,
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      text: '@alice Reply',
      conversation_id: ROOT,
      referenced_tweets: [{ type: 'replied_to', id: ROOT }],
    });
    expect(body.includes).toBeUndefined();
    expect(body.errors).toEqual([notFound('tweet', 'referenced_tweets.id', ROOT)]);
  });

  test('keeps its quotes, whose quoted post is then not found', async () => {
    const { as, app } = await startNetwork(world);
    await as('alice').delete(`/2/tweets/${ROOT}`);
    const { body } = await app.get(
      `/2/tweets/${QUOTE}?expansions=referenced_tweets.id,referenced_tweets.id.author_id`,
    );
    expect(body.data.referenced_tweets).toEqual([{ type: 'quoted', id: ROOT }]);
    expect(body.includes).toBeUndefined();
    expect(body.errors).toEqual([notFound('tweet', 'referenced_tweets.id', ROOT)]);
  });

  test('keeps its conversation open to replies', async () => {
    const { as, posted, app } = await startNetwork(world);
    await as('alice').delete(`/2/tweets/${ROOT}`);
    const id = await posted('erin', { text: 'Still here', in_reply_to_tweet_id: BELOW });
    const { body } = await app.get(`/2/tweets/${id}?tweet.fields=conversation_id`);
    expect(body.data.conversation_id).toBe(ROOT);
  });

  test('unpins it', async () => {
    const { as, app } = await startNetwork({
      ...world,
      users: [{ username: 'alice', pinned_post: ROOT }],
    });
    const path = '/2/users/by/username/alice?expansions=pinned_tweet_id';
    expect((await app.get(path)).body.data.pinned_tweet_id).toBe(ROOT);
    await as('alice').delete(`/2/tweets/${ROOT}`);
    const { body } = await app.get(path);
    expect(body).toEqual({ data: { id: body.data.id, name: 'alice the bird', username: 'alice' } });
  });

  test('deletes its poll', async () => {
    const { as, posted, app } = await startNetwork();
    const id = await posted('alice', { text: 'What?', poll_options: ['a', 'b'], poll_duration_minutes: 5 });
    await as('alice').delete(`/2/tweets/${id}`);
    const { body } = await app.get(`/2/tweets/${id}?expansions=attachments.poll_ids`);
    expect(body).toEqual({ errors: [notFound('tweet', 'id', id)] });
  });

  test('returns 400 for a malformed id and 403 for app-only credentials', async () => {
    const { as, app } = await startNetwork(world);
    const bad = await as('alice').delete('/2/tweets/abc');
    expect(bad.status).toBe(400);
    expect(bad.body.errors).toEqual([
      { parameters: { id: ['abc'] }, message: 'The `id` query parameter value [abc] is not valid' },
    ]);
    expect((await app.delete(`/2/tweets/${ROOT}`)).status).toBe(403);
  });

  test('that is hidden from the caller returns 404', async () => {
    const { as } = await startNetwork({
      posts: [{ id: ROOT, author: 'alice', text: 'Secret' }],
      users: [{ username: 'alice', protected: true }],
    });
    const { status, body } = await as('bob').delete(`/2/tweets/${ROOT}`);
    expect([status, body]).toEqual([404, missingTarget('tweet', 'id', ROOT)]);
  });

  test.each([
    ['a post', (network: Network) => network.as('alice').delete(`/2/tweets/${LATER}`)],
    ['an account', ({ deleteAccount }: Network) => deleteAccount('alice')],
  ])('removes reposts of %s from the home timelines of their authors’ followers', async (_, remove) => {
    const own = [10, 11, 12, 13, 14].map((number) => postId(number));
    const network = await startNetwork({
      posts: [
        ...own.map((id) => ({ id, author: 'dave', text: id }) as const),
        { id: LATER, author: 'alice', text: 'Later' },
        { id: postId(21), author: 'dave', repost_of: LATER },
      ],
      follows: [{ from: 'erin', to: 'dave' }],
    });
    const path = `/2/users/${ID.erin}/timelines/reverse_chronological?max_results=5&until_id=${postId(30)}`;
    const home = async () =>
      (await network.as('erin').get(path)).body.data.map(({ id }: { id: string }) => id);
    expect(await home()).toEqual([postId(21), ...own.slice(1).reverse()]);
    await remove(network);
    await network.runJobs();
    expect(await home()).toEqual([...own].reverse());
  });
});
