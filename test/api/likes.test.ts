import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import { missingTarget, notAuthorized, notFound, refusal, suspended } from './support/errors.js';
import { ID, MINUTE_MS, postId, startNetwork, type Name, type Network } from './support/network.js';
import { idsIn, pageAt, walkPages } from './support/pages.js';

const POST = postId(1);
const NAMES = Object.keys(ID) as Name[];
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

const like = (network: Network, name: Name, id: string) =>
  network.as(name).post(`/2/users/${ID[name]}/likes`, { tweet_id: id });
const unlike = (network: Network, name: Name, id: string) =>
  network.as(name).delete(`/2/users/${ID[name]}/likes/${id}`);

async function likeCount(network: Network, id: string): Promise<number> {
  const { body } = await network.as('alice').get(`/2/tweets/${id}?tweet.fields=public_metrics`);
  return body.data.public_metrics.like_count as number;
}

const likers = async (network: Network, id: string, viewer: Name = 'frank') =>
  (await pageAt(network.as(viewer), `/2/tweets/${id}/liking_users`)).ids;
const liked = async (network: Network, name: Name, viewer: Name = name) =>
  (await pageAt(network.as(viewer), `/2/users/${ID[name]}/liked_tweets`)).ids;

describe('liking', () => {
  test('a post adds it to both lists and the count, and unliking removes it', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const answer = await like(network, 'bob', POST);
    expect([answer.status, answer.body]).toEqual([200, { data: { liked: true } }]);
    expect(await likers(network, POST)).toEqual([ID.bob]);
    expect(await liked(network, 'bob', 'frank')).toEqual([POST]);
    expect(await likeCount(network, POST)).toBe(1);
    const undone = await unlike(network, 'bob', POST);
    expect([undone.status, undone.body]).toEqual([200, { data: { liked: false } }]);
    expect(await likers(network, POST)).toEqual([]);
    expect(await liked(network, 'bob')).toEqual([]);
    expect(await likeCount(network, POST)).toBe(0);
  });

  test('again changes neither the count nor the order of the list', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    for (const name of ['bob', 'carol', 'bob'] as const) {
      await network.advance(MINUTE_MS);
      expect((await like(network, name, POST)).body).toEqual({ data: { liked: true } });
    }
    expect(await likers(network, POST)).toEqual([ID.carol, ID.bob]);
    expect(await likeCount(network, POST)).toBe(2);
  });

  test('again after unliking makes it the newest like of both lists', async () => {
    const network = await startNetwork({
      posts: [1, 2].map((n) => ({ id: postId(n), author: 'alice', text: `post ${n}` })),
    });
    await like(network, 'bob', POST);
    await like(network, 'carol', POST);
    await like(network, 'bob', postId(2));
    await unlike(network, 'bob', POST);
    await like(network, 'bob', POST);
    expect(await likers(network, POST)).toEqual([ID.bob, ID.carol]);
    expect(await liked(network, 'bob')).toEqual([POST, postId(2)]);
  });

  test('can be undone without effect for a post that is not liked or unknown', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    for (const id of [POST, POST, postId(99)]) {
      expect((await unlike(network, 'bob', id)).body).toEqual({ data: { liked: false } });
    }
    expect(await likeCount(network, POST)).toBe(0);
  });

  test('a repost likes the original, and unliking it unlikes the original', async () => {
    const repost = postId(2);
    const network = await startNetwork({
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: repost, author: 'carol', repost_of: POST },
      ],
    });
    await like(network, 'bob', repost);
    expect(await liked(network, 'bob')).toEqual([POST]);
    expect(await likeCount(network, POST)).toBe(1);
    await unlike(network, 'bob', repost);
    expect(await liked(network, 'bob')).toEqual([]);
  });

  test('is refused with a block, for hidden posts and for unknown posts', async () => {
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
    for (const [name, id] of [
      ['bob', POST],
      ['dave', POST],
      ['frank', postId(2)],
    ] as const) {
      const answer = await like(network, name, id);
      expect([answer.status, answer.body], name).toEqual([403, NOT_PERMITTED]);
    }
    const unknown = await like(network, 'bob', postId(99));
    expect([unknown.status, unknown.body]).toEqual([404, missingTarget('tweet', 'tweet_id', postId(99))]);
    expect((await like(network, 'erin', postId(2))).status).toBe(200);
    expect(await likeCount(network, POST)).toBe(0);
  });

  test('can be undone after the post is hidden from the user', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    await like(network, 'bob', POST);
    await network.as('alice').post(`/2/users/${ID.alice}/blocking`, { target_user_id: ID.bob });
    expect((await unlike(network, 'bob', POST)).body).toEqual({ data: { liked: false } });
    expect(await likeCount(network, POST)).toBe(0);
  });

  test('requires one’s own account and a tweet_id', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const foreign = await network.as('bob').post(`/2/users/${ID.carol}/likes`, { tweet_id: POST });
    expect(foreign.status).toBe(400);
    expect(foreign.body.errors[0].message).toContain('must be the same as the authenticating user');
    const empty = await network.as('bob').post(`/2/users/${ID.bob}/likes`, {});
    expect(empty.body.errors[0].message).toContain('$.tweet_id');
    const asNumber = await network.as('bob').post(`/2/users/${ID.bob}/likes`, `{"tweet_id":${POST}}`);
    expect(asNumber.body).toEqual({ data: { liked: true } });
  });
});

describe('lists of likes', () => {
  test('are ordered by time of liking, newest first, and joined pages equal the whole', async () => {
    const posts = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ id: postId(n), author: 'alice', text: `post ${n}` }));
    const order = [3, 1, 7, 5, 2, 6, 4].map(postId);
    const likes = order.map((post, at) => ({
      user: 'bob',
      post,
      at: `2022-10-07T10:0${at}:00Z`,
    }));
    const likesOfOne = NAMES.map((user, at) => ({ user, post: POST, at: `2022-10-07T11:0${at}:00Z` }));
    const network = await startNetwork({ posts, likes: [...likes, ...likesOfOne.slice(2)] });
    const pages = await walkPages(network.app, `/2/users/${ID.bob}/liked_tweets`, 5);
    expect(pages.map((page) => page.ids)).toEqual([
      [...order].reverse().slice(0, 5),
      [...order].reverse().slice(5),
    ]);
    const whole = [...NAMES.slice(2).reverse(), 'bob' as const].map((name) => ID[name]);
    const likerPages = await walkPages(network.app, `/2/tweets/${POST}/liking_users`, 2);
    expect(likerPages.map((page) => page.ids.length)).toEqual([2, 2, 1]);
    expect(likerPages.flatMap((page) => page.ids)).toEqual(whole);
  });

  test('of an unknown or hidden post or user return 200 with an error', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      follows: [{ from: 'erin', to: 'carol' }],
      blocks: [{ from: 'carol', to: 'dave' }],
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', text: 'two' },
      ],
      likes: [
        { user: 'carol', post: POST },
        { user: 'carol', post: postId(2) },
      ],
    });
    const errorsOf = async (path: string, viewer: Name) => {
      const { status, body } = await network.as(viewer).get(path);
      expect([status, body.data, body.meta]).toEqual([200, undefined, { result_count: 0 }]);
      return body.errors as unknown;
    };
    expect(await errorsOf(`/2/tweets/${postId(99)}/liking_users`, 'bob')).toEqual([
      notFound('tweet', 'id', postId(99)),
    ]);
    expect(await errorsOf(`/2/tweets/${postId(2)}/liking_users`, 'bob')).toEqual([
      notAuthorized('id', postId(2), 'data'),
    ]);
    expect(await errorsOf('/2/users/99/liked_tweets', 'bob')).toEqual([notFound('user', 'id', '99')]);
    for (const viewer of ['bob', 'dave'] as const) {
      expect(await errorsOf(`/2/users/${ID.carol}/liked_tweets`, viewer)).toMatchObject([
        {
          title: 'Authorization Error',
          detail: `Sorry, you are not authorized to see the user with id: [${ID.carol}].`,
        },
      ]);
    }
    expect(await liked(network, 'carol', 'erin')).toEqual([postId(2), POST]);
    await network.suspend('carol');
    expect(await errorsOf(`/2/users/${ID.carol}/liked_tweets`, 'erin')).toEqual([suspended('id', ID.carol)]);
  });

  test('omit hidden posts, suspended users and likes of protected accounts', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      follows: [{ from: 'erin', to: 'carol' }],
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', text: 'two' },
      ],
      likes: [
        { user: 'carol', post: POST },
        { user: 'erin', post: POST },
        { user: 'dave', post: POST },
        { user: 'erin', post: postId(2) },
      ],
    });
    await network.suspend('dave');
    expect(await likers(network, POST, 'frank')).toEqual([ID.erin]);
    expect(await likers(network, POST, 'erin')).toEqual([ID.erin, ID.carol]);
    expect(await liked(network, 'erin')).toEqual([postId(2), POST]);
    expect(await liked(network, 'erin', 'frank')).toEqual([POST]);
    expect(await likeCount(network, POST)).toBe(3);
  });

  test('show the requested fields and expansions', async () => {
    const network = await startNetwork({
      posts: [{ id: POST, author: 'alice', text: 'one' }],
      likes: [{ user: 'bob', post: POST }],
    });
    const posts = await network.app.get(
      `/2/users/${ID.bob}/liked_tweets?expansions=author_id&tweet_fields=created_at`,
    );
    expect(posts.body.data[0]).toMatchObject({ id: POST, author_id: ID.alice });
    expect(posts.body.includes.users[0].id).toBe(ID.alice);
    const users = await network.app.get(`/2/tweets/${POST}/liking_users?user.fields=created_at,protected`);
    expect(users.body.data[0]).toMatchObject({ id: ID.bob, username: 'bob', protected: false });
  });

  test('have only meta when empty', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    for (const path of [`/2/tweets/${POST}/liking_users`, `/2/users/${ID.bob}/liked_tweets`]) {
      expect((await network.app.get(path)).body).toEqual({ meta: { result_count: 0 } });
    }
  });

  test('lose a deleted post', async () => {
    const network = await startNetwork({
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'alice', text: 'two' },
      ],
    });
    await like(network, 'bob', POST);
    await like(network, 'bob', postId(2));
    await network.as('alice').delete(`/2/tweets/${POST}`);
    expect(await liked(network, 'bob')).toEqual([postId(2)]);
    expect((await like(network, 'bob', POST)).status).toBe(404);
  });
});

describe('concurrent likes', () => {
  test('by one user count once, by several once each', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const users = NAMES.flatMap((name) => [name, name, name]);
    const answers = await Promise.all(users.map((name) => like(network, name, POST)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await likeCount(network, POST)).toBe(NAMES.length);
    expect(new Set(await likers(network, POST))).toEqual(new Set(Object.values(ID)));
  });

  test('and unlikes leave counts and both lists consistent', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const requests = Array.from({ length: 48 }, (_, at) => {
      const name = NAMES[at % NAMES.length] ?? 'alice';
      return at % 5 < 3 ? like(network, name, POST) : unlike(network, name, POST);
    });
    await Promise.all(requests);
    const users = await likers(network, POST);
    expect(await likeCount(network, POST)).toBe(users.length);
    for (const name of NAMES) {
      expect(await liked(network, name)).toEqual(users.includes(ID[name]) ? [POST] : []);
    }
  });

  test('during the deletion of the post leave nothing behind', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const likes = NAMES.map((name) => like(network, name, POST));
    await Promise.all([...likes, network.as('alice').delete(`/2/tweets/${POST}`)]);
    await network.add({ posts: [{ id: POST, author: 'alice', text: 'back' }] });
    const { body } = await network.app.get(`/2/tweets/${POST}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics.like_count).toBe(0);
    expect(idsIn(await network.app.get(`/2/tweets/${POST}/liking_users`))).toEqual([]);
  });
});

test('likes and unlikes share a daily limit, as do reposts and posts; liked posts and quotes count toward the usage cap', () => {
  const found = (operationId: string) => endpoints.find((each) => each.operationId === operationId);
  const limitsOf = (operationId: string) => found(operationId)?.rateLimits;
  expect(limitsOf('usersIdLike')).toEqual([
    { per: 'user', limit: 50 },
    { per: 'user', limit: 1000, windowSeconds: 86_400, pool: 'likes and unlikes' },
  ]);
  expect(limitsOf('usersIdUnlike')).toEqual(limitsOf('usersIdLike'));
  expect(limitsOf('usersIdRetweets')?.[1]).toEqual(limitsOf('createTweet')?.[1]);
  const lists = [
    'usersIdLikedTweets',
    'findTweetsThatQuoteATweet',
    'getUsersIdBookmarks',
    'tweetsIdLikingUsers',
  ];
  expect(lists.map((name) => found(name)?.capped === true)).toEqual([true, true, false, false]);
});
