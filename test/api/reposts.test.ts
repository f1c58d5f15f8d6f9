import { describe, expect, test } from 'vitest';
import { missingTarget, notAuthorized, refusal } from './support/errors.js';
import { ID, MINUTE_MS, postId, startNetwork, type Name, type Network } from './support/network.js';
import { pageAt, walkPages } from './support/pages.js';

const POST = postId(1);
const NAMES = Object.keys(ID) as Name[];

const repost = (network: Network, name: Name, id: string) =>
  network.as(name).post(`/2/users/${ID[name]}/retweets`, { tweet_id: id });
const undo = (network: Network, name: Name, id: string) =>
  network.as(name).delete(`/2/users/${ID[name]}/retweets/${id}`);

async function repostCount(network: Network, id: string): Promise<number> {
  const { body } = await network.as('alice').get(`/2/tweets/${id}?tweet.fields=public_metrics`);
  return body.data.public_metrics.retweet_count as number;
}
async function postCount(network: Network, name: Name): Promise<number> {
  const { body } = await network.as(name).get('/2/users/me?user.fields=public_metrics');
  return body.data.public_metrics.tweet_count as number;
}
const reposters = async (network: Network, id: string, viewer: Name = 'frank') =>
  (await pageAt(network.as(viewer), `/2/tweets/${id}/retweeted_by`)).ids;
const repostsOf = async (network: Network, id: string, viewer: Name = 'frank') =>
  (await pageAt(network.as(viewer), `/2/tweets/${id}/retweets`)).ids;

const onePost = () => startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one #two' }] });

describe('reposting', () => {
  test('creates a post that references the original, updates the counts and lists the user', async () => {
    const network = await onePost();
    const answer = await repost(network, 'bob', POST);
    expect([answer.status, answer.body]).toEqual([200, { data: { retweeted: true } }]);
    expect(await reposters(network, POST)).toEqual([ID.bob]);
    expect([await repostCount(network, POST), await postCount(network, 'bob')]).toEqual([1, 1]);
    const [id] = await repostsOf(network, POST);
    const { body } = await network.app.get(
      `/2/tweets/${id}?tweet.fields=referenced_tweets,author_id,public_metrics,source`,
    );
    expect(body.data).toMatchObject({
      author_id: ID.bob,
      text: 'RT @alice: one #two',
      source: 'Birdwatch',
      referenced_tweets: [{ type: 'retweeted', id: POST }],
      public_metrics: { retweet_count: 1, like_count: 0 },
    });
  });

  test('is idempotent, as is undoing it', async () => {
    const network = await onePost();
    for (let time = 0; time < 2; time += 1) {
      expect((await repost(network, 'bob', POST)).body).toEqual({ data: { retweeted: true } });
    }
    expect([await repostCount(network, POST), await postCount(network, 'bob')]).toEqual([1, 1]);
    const [id] = await repostsOf(network, POST);
    for (let time = 0; time < 2; time += 1) {
      const undone = await undo(network, 'bob', POST);
      expect([undone.status, undone.body]).toEqual([200, { data: { retweeted: false } }]);
    }
    expect([await repostCount(network, POST), await postCount(network, 'bob')]).toEqual([0, 0]);
    expect(await reposters(network, POST)).toEqual([]);
    expect((await network.app.get(`/2/tweets/${id}`)).body.data).toBeUndefined();
    expect((await undo(network, 'bob', postId(99))).body).toEqual({ data: { retweeted: false } });
  });

  test('a repost reposts the original; undoing by the id of another user’s repost removes one’s own', async () => {
    const network = await onePost();
    await repost(network, 'bob', POST);
    const [first = ''] = await repostsOf(network, POST);
    await repost(network, 'carol', first);
    expect(await reposters(network, POST)).toEqual([ID.carol, ID.bob]);
    expect(await repostCount(network, POST)).toBe(2);
    await undo(network, 'carol', first);
    expect(await reposters(network, POST)).toEqual([ID.bob]);
  });

  test('ends when the repost or the original is deleted', async () => {
    const network = await onePost();
    for (const name of ['bob', 'carol'] as const) await repost(network, name, POST);
    const [, ofBob = ''] = await repostsOf(network, POST);
    await network.as('bob').delete(`/2/tweets/${ofBob}`);
    expect(await reposters(network, POST)).toEqual([ID.carol]);
    expect((await repost(network, 'bob', POST)).status).toBe(200);
    await network.as('alice').delete(`/2/tweets/${POST}`);
    expect([await postCount(network, 'bob'), await postCount(network, 'carol')]).toEqual([0, 0]);
  });

  test('is refused with a block, for hidden posts, and for protected authors even to followers', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      blocks: [
        { from: 'alice', to: 'bob' },
        { from: 'dave', to: 'alice' },
      ],
      follows: [{ from: 'erin', to: 'carol' }],
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', text: 'two' },
      ],
    });
    const notPermitted = refusal('You are not permitted to perform this action.');
    const isProtected = refusal('You cannot retweet a Tweet from a protected account.');
    for (const [name, id, expected] of [
      ['bob', POST, notPermitted],
      ['dave', POST, notPermitted],
      ['frank', postId(2), notPermitted],
      ['erin', postId(2), isProtected],
    ] as const) {
      const answer = await repost(network, name, id);
      expect([answer.status, answer.body], name).toEqual([403, expected]);
    }
    const unknown = await repost(network, 'bob', postId(99));
    expect([unknown.status, unknown.body]).toEqual([404, missingTarget('tweet', 'tweet_id', postId(99))]);
    expect((await repost(network, 'carol', postId(2))).status).toBe(200);
    expect(await reposters(network, postId(2), 'erin')).toEqual([ID.carol]);
  });

  test('adds the repost to home timelines, and undoing removes it', async () => {
    const network = await startNetwork({
      posts: [{ id: POST, author: 'alice', text: 'one' }],
      follows: [{ from: 'carol', to: 'bob' }],
    });
    const home = async () =>
      (await pageAt(network.as('carol'), `/2/users/${ID.carol}/timelines/reverse_chronological`)).ids;
    expect(await home()).toEqual([]);
    await repost(network, 'bob', POST);
    await network.runJobs();
    expect(await home()).toEqual(await repostsOf(network, POST));
    await undo(network, 'bob', POST);
    await network.runJobs();
    expect(await home()).toEqual([]);
  });
});

describe('lists of reposts', () => {
  test('have the newest repost first, and joined pages equal the whole', async () => {
    const network = await onePost();
    for (const name of ['dave', 'bob', 'frank', 'carol', 'erin'] as const) {
      await network.advance(MINUTE_MS);
      await repost(network, name, POST);
    }
    const expected = (['erin', 'carol', 'frank', 'bob', 'dave'] as const).map((name) => ID[name]);
    for (const list of ['retweeted_by', 'retweets']) {
      const whole = await pageAt(network.app, `/2/tweets/${POST}/${list}`);
      if (list === 'retweeted_by') expect(whole.ids).toEqual(expected);
      const pages = await walkPages(network.app, `/2/tweets/${POST}/${list}`, 2);
      expect(pages.map((page) => page.ids.length)).toEqual([2, 2, 1]);
      expect(pages.flatMap((page) => page.ids)).toEqual(whole.ids);
    }
  });

  test('are empty for hidden posts and omit protected accounts', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      follows: [{ from: 'erin', to: 'carol' }],
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', text: 'two' },
        { id: postId(3), author: 'carol', repost_of: POST },
        { id: postId(4), author: 'bob', repost_of: POST },
      ],
    });
    for (const list of ['retweeted_by', 'retweets']) {
      const { body } = await network.as('frank').get(`/2/tweets/${postId(2)}/${list}`);
      expect(body).toEqual({
        errors: [notAuthorized('id', postId(2), 'data')],
        meta: { result_count: 0 },
      });
    }
    expect([await reposters(network, POST), await repostsOf(network, POST)]).toEqual([[ID.bob], [postId(4)]]);
    expect(await reposters(network, POST, 'erin')).toEqual([ID.bob, ID.carol]);
    expect(await repostsOf(network, POST, 'erin')).toEqual([postId(4), postId(3)]);
  });

  test('of one’s own posts have the posts that others reposted, newest first', async () => {
    const network = await startNetwork({
      posts: [
        ...[1, 2, 3, 4].map((n) => ({ id: postId(n), author: 'alice', text: `post ${n}` })),
        { id: postId(5), author: 'carol', text: 'of carol' },
        { id: postId(6), author: 'alice', repost_of: postId(5) },
        ...[1, 3, 4].map((n) => ({ id: postId(6 + n), author: 'bob', repost_of: postId(n) })),
      ],
    });
    const pages = await walkPages(network.as('alice'), '/2/users/reposts_of_me', 2);
    expect(pages.map((page) => page.ids)).toEqual([[postId(4), postId(3)], [postId(1)]]);
    await undo(network, 'bob', postId(3));
    expect((await pageAt(network.as('alice'), '/2/users/reposts_of_me')).ids).toEqual([postId(4), postId(1)]);
  });
});

describe('concurrent reposts', () => {
  test('by one user count once, and concurrent undoing leaves counts and lists consistent', async () => {
    const network = await onePost();
    const requests = Array.from({ length: 36 }, (_, at) => {
      const name = NAMES[at % NAMES.length] ?? 'alice';
      return at % 5 < 3 ? repost(network, name, POST) : undo(network, name, POST);
    });
    const answers = await Promise.all(requests);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const users = await reposters(network, POST);
    expect(await repostCount(network, POST)).toBe(users.length);
    expect(await repostsOf(network, POST)).toHaveLength(users.length);
    for (const name of NAMES) {
      const own = (name === 'alice' ? 1 : 0) + (users.includes(ID[name]) ? 1 : 0);
      expect(await postCount(network, name), name).toBe(own);
    }
  });
});
