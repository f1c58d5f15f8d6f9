import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notAuthorized } from './support/errors.js';
import { ID, openNetwork, postId, startNetwork, type Network } from './support/network.js';

/** Every field of a user and the pinned post (docs/api/objects.md#user, docs/api/objects.md#field-selection). */

let network: Network;

beforeAll(async () => {
  network = await openNetwork({
    users: [
      {
        username: 'alice',
        created_at: '2019-05-04T10:11:12.345Z',
        description: 'I like #birds, says @bob. https://birds.example.com',
        location: 'The pond',
        url: 'https://alice.example/about',
        verified: true,
        verified_type: 'blue',
        profile_image_url: 'https://media.example/alice_normal.jpg',
        pinned_post: postId(1),
        receives_dms: 'everyone',
      },
      { username: 'frank', verified: true },
      { username: 'erin', verified: true, verified_type: 'government' },
      { username: 'carol', protected: true, pinned_post: postId(2) },
    ],
    posts: [
      { id: postId(1), author: 'alice', text: 'Pinned' },
      { id: postId(2), author: 'carol', text: 'Secretly pinned' },
      { id: postId(3), author: 'bob', repost_of: postId(1) },
      { id: postId(4), author: 'bob', text: 'Reply', in_reply_to: postId(1) },
    ],
    follows: [
      { from: 'alice', to: 'bob' },
      { from: 'bob', to: 'alice' },
      { from: 'dave', to: 'alice' },
      { from: 'bob', to: 'carol', pending: true },
      { from: 'dave', to: 'carol' },
    ],
    blocks: [{ from: 'alice', to: 'erin' }],
    mutes: [{ from: 'alice', to: 'frank' }],
  });
});

afterAll(() => network.close());

const shown = async (name: string, field: string, viewer = network.app): Promise<unknown> => {
  const { status, body } = await viewer.get(`/2/users/by/username/${name}?user.fields=${field}`);
  expect(status).toBe(200);
  const extra = Object.keys(body.data as object).filter((key) => !['id', 'name', 'username'].includes(key));
  expect(extra).toEqual(field in body.data ? [field] : []);
  return body.data[field];
};

describe('a requested field of a user is returned alone, and absent without a value', () => {
  test.each([
    ['created_at', '2019-05-04T10:11:12.000Z'],
    ['description', 'I like #birds, says @bob. https://birds.example.com'],
    ['location', 'The pond'],
    ['pinned_tweet_id', postId(1)],
    ['profile_image_url', 'https://media.example/alice_normal.jpg'],
    ['protected', false],
    ['url', 'https://alice.example/about'],
    ['verified', true],
    ['verified_type', 'blue'],
  ])('%s', async (field, value) => {
    expect(await shown('alice', field)).toBe(value);
  });

  test.each([
    ['description', ''],
    ['location', undefined],
    ['pinned_tweet_id', undefined],
    ['profile_image_url', `http://pipit.test/profile_images/12/BB_normal.png`],
    ['protected', false],
    ['url', ''],
    ['verified', false],
    ['verified_type', 'none'],
    ['withheld', undefined],
    ['entities', undefined],
    ['affiliation', undefined],
    ['profile_banner_url', undefined],
  ])('%s of a user without a profile', async (field, value) => {
    expect(await shown('bob', field)).toBe(value);
  });

  test('verified_type of a verified user is the declared one, else blue', async () => {
    expect(await shown('frank', 'verified_type')).toBe('blue');
    expect(await shown('erin', 'verified_type')).toBe('government');
  });

  test('protected is visible to everyone', async () => {
    expect(await shown('carol', 'protected')).toBe(true);
  });

  test('public_metrics count accepted follows, and posts with replies and reposts', async () => {
    expect(await shown('alice', 'public_metrics')).toMatchObject({
      followers_count: 2,
      following_count: 1,
      tweet_count: 1,
      listed_count: 0,
    });
    expect(await shown('bob', 'public_metrics')).toMatchObject({
      followers_count: 1,
      following_count: 1,
      tweet_count: 2,
      listed_count: 0,
    });
    expect(await shown('carol', 'public_metrics')).toMatchObject({ followers_count: 1, following_count: 0 });
  });

  test('entities have the link of the profile and the entities of the description', async () => {
    expect(await shown('alice', 'entities')).toMatchObject({
      url: {
        urls: [
          {
            start: 0,
            end: 27,
            url: 'https://alice.example/about',
            expanded_url: 'https://alice.example/about',
          },
        ],
      },
      description: {
        hashtags: [{ start: 7, end: 13, tag: 'birds' }],
        mentions: [{ start: 20, end: 24, username: 'bob' }],
        urls: [{ start: 26, end: 51, url: 'https://birds.example.com' }],
      },
    });
  });

  test.each(['id', 'name', 'username'])('%s is always present', async (field) => {
    const { body } = await network.app.get(`/2/users/${ID.bob}?user.fields=${field}`);
    expect(body.data).toEqual({ id: ID.bob, name: 'bob the bird', username: 'bob' });
  });

  test('several fields can be requested together, in both spellings', async () => {
    const dotted = await network.app.get(`/2/users/${ID.bob}?user.fields=protected,verified`);
    expect(dotted.body.data).toEqual({
      id: ID.bob,
      name: 'bob the bird',
      username: 'bob',
      protected: false,
      verified: false,
    });
    const underscored = await network.app.get(`/2/users/${ID.bob}?user_fields=protected,verified`);
    expect(underscored.body).toEqual(dotted.body);
  });
});

describe('connection_status', () => {
  test.each([
    ['alice', 'bob', ['followed_by', 'following']],
    ['alice', 'dave', ['followed_by']],
    ['dave', 'alice', ['following']],
    ['alice', 'erin', ['blocking']],
    ['alice', 'frank', ['muting']],
    ['bob', 'carol', ['follow_request_sent']],
    ['carol', 'bob', ['follow_request_received']],
    ['erin', 'alice', undefined],
    ['frank', 'alice', undefined],
    ['erin', 'frank', undefined],
    ['alice', 'alice', undefined],
  ] as const)('of %s to %s is %j', async (viewer, name, status) => {
    expect(await shown(name, 'connection_status', network.as(viewer))).toEqual(status);
  });

  test('is absent with app-only credentials', async () => {
    expect(await shown('alice', 'connection_status')).toBeUndefined();
  });
});

describe('receives_your_dm', () => {
  test.each([
    ['frank', 'alice', true],
    ['erin', 'alice', false],
    ['alice', 'erin', false],
    ['alice', 'bob', true],
    ['dave', 'bob', false],
  ] as const)('to %s about %s is %s', async (viewer, name, receives) => {
    expect(await shown(name, 'receives_your_dm', network.as(viewer))).toBe(receives);
  });

  test('is absent with app-only credentials', async () => {
    expect(await shown('alice', 'receives_your_dm')).toBeUndefined();
  });
});

describe('pinned_tweet_id as an expansion', () => {
  test('includes the pinned post and adds pinned_tweet_id', async () => {
    const { body } = await network.app.get(
      `/2/users/${ID.alice}?expansions=pinned_tweet_id&tweet.fields=author_id`,
    );
    expect(body).toEqual({
      data: { id: ID.alice, name: 'alice the bird', username: 'alice', pinned_tweet_id: postId(1) },
      includes: {
        tweets: [{ id: postId(1), text: 'Pinned', edit_history_tweet_ids: [postId(1)], author_id: ID.alice }],
      },
    });
  });

  test('includes nothing for a user without a pinned post', async () => {
    const { body } = await network.app.get(`/2/users/${ID.bob}?expansions=pinned_tweet_id`);
    expect(body).toEqual({ data: { id: ID.bob, name: 'bob the bird', username: 'bob' } });
  });

  test('of several users includes each pinned post and reports hidden ones', async () => {
    const path = `/2/users?ids=${ID.carol},${ID.alice},${ID.bob}&expansions=pinned_tweet_id`;
    const { body } = await network.app.get(path);
    expect(body.data).toHaveLength(3);
    expect(body.includes.tweets.map(({ id }: { id: string }) => id)).toEqual([postId(1)]);
    expect(body.errors).toEqual([notAuthorized('pinned_tweet_id', postId(2), 'includes')]);
    const follower = await network.as('dave').get(path);
    expect(follower.body.includes.tweets.map(({ id }: { id: string }) => id)).toEqual([postId(2), postId(1)]);
    expect(follower.body.errors).toBeUndefined();
  });

  test.each(['affiliation.user_id', 'most_recent_tweet_id'])('%s is accepted', async (expansion) => {
    const { status } = await network.app.get(`/2/users/${ID.alice}?expansions=${expansion}`);
    expect(status).toBe(200);
  });

  test('and its siblings are the only expansions of user endpoints', async () => {
    const { status, body } = await network.app.get(`/2/users/${ID.alice}?expansions=author_id`);
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(
      /^The `expansions` query parameter value \[author_id\] is not one of \[.*pinned_tweet_id/,
    );
  });
});

describe('a user included with posts', () => {
  test('has the requested fields', async () => {
    const { body } = await network
      .as('dave')
      .get(
        `/2/tweets/${postId(1)}?expansions=author_id&user.fields=protected,connection_status,public_metrics`,
      );
    expect(body.includes.users).toMatchObject([
      {
        id: ID.alice,
        protected: false,
        connection_status: ['following'],
        public_metrics: { followers_count: 2 },
      },
    ]);
  });
});

describe('counts under concurrent writes', () => {
  test('are exact', async () => {
    const { as } = await startNetwork();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => as('alice').post('/2/tweets', { text: `Post ${n}` })),
    );
    const ids = answers.map(({ body }) => body.data.id as string);
    await Promise.all(ids.slice(0, 10).map((id) => as('alice').delete(`/2/tweets/${id}`)));
    const { body } = await as('alice').get('/2/users/me?user.fields=public_metrics');
    expect(body.data.public_metrics.tweet_count).toBe(20);
  });
});
