import { describe, expect, test } from 'vitest';
import { missingTarget, notAuthorized, refusal } from './support/errors.js';
import { ID, postId, startNetwork, type Name, type World } from './support/network.js';
import { block, countsOf, follow, statusOf, unblock, unfollow } from './support/relations.js';

/** Blocking and unblocking (docs/api/errors.md#refused-actions, docs/api/people.md#follows-blocks-and-mutes). */

const BLOCKING = { data: { blocking: true } };
const NOT_BLOCKING = { data: { blocking: false } };
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

const friends: World = {
  follows: [
    { from: 'alice', to: 'bob' },
    { from: 'bob', to: 'alice' },
  ],
};

describe('blocking a user', () => {
  test('is idempotent and visible to the blocker only', async () => {
    const network = await startNetwork();
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await block(network, 'alice', 'bob');
      expect([status, body]).toEqual([200, BLOCKING]);
    }
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['blocking']);
    expect(await statusOf(network, 'bob', 'alice')).toEqual([]);
  });

  test('removes follows in both directions and updates the counts', async () => {
    const network = await startNetwork(friends);
    await block(network, 'alice', 'bob');
    for (const name of ['alice', 'bob'] as const) expect(await countsOf(network, name)).toEqual([0, 0]);
    expect(await statusOf(network, 'bob', 'alice')).toEqual([]);
  });

  test('removes follow requests in both directions', async () => {
    const network = await startNetwork({
      users: [
        { username: 'alice', protected: true },
        { username: 'bob', protected: true },
      ],
      follows: [
        { from: 'alice', to: 'bob', pending: true },
        { from: 'bob', to: 'alice', pending: true },
      ],
    });
    await block(network, 'alice', 'bob');
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['blocking']);
    expect(await statusOf(network, 'bob', 'alice')).toEqual([]);
  });

  test('keeps the follows of other users', async () => {
    const network = await startNetwork({
      follows: [
        { from: 'alice', to: 'carol' },
        { from: 'carol', to: 'bob' },
        { from: 'bob', to: 'alice' },
      ],
    });
    await block(network, 'alice', 'bob');
    expect(await countsOf(network, 'alice')).toEqual([0, 1]);
    expect(await countsOf(network, 'bob')).toEqual([1, 0]);
    expect(await countsOf(network, 'carol')).toEqual([1, 1]);
  });

  test('hides the posts of the blocker from the blocked user at once, and not the reverse', async () => {
    const posts = [
      { id: postId(1), author: 'alice', text: 'By alice' },
      { id: postId(2), author: 'bob', text: 'By bob' },
    ];
    const network = await startNetwork({ posts });
    const path = `/2/tweets/${postId(1)}`;
    expect((await network.as('bob').get(path)).body.data.text).toBe('By alice');
    await block(network, 'alice', 'bob');
    expect((await network.as('bob').get(path)).body).toEqual({
      errors: [notAuthorized('id', postId(1), 'data')],
    });
    expect((await network.as('alice').get(`/2/tweets/${postId(2)}`)).body.data.text).toBe('By bob');
    await unblock(network, 'alice', 'bob');
    expect((await network.as('bob').get(path)).body.data.text).toBe('By alice');
  });

  test('keeps likes and counts', async () => {
    const network = await startNetwork({
      posts: [{ id: postId(1), author: 'alice', text: 'By alice' }],
      likes: [{ user: 'bob', post: postId(1) }],
    });
    await block(network, 'alice', 'bob');
    const { body } = await network.app.get(`/2/tweets/${postId(1)}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics.like_count).toBe(1);
  });

  test('succeeds for a suspended user', async () => {
    const network = await startNetwork();
    await network.suspend('bob');
    expect((await block(network, 'alice', 'bob')).body).toEqual(BLOCKING);
  });

  test('returns 403 for oneself', async () => {
    const network = await startNetwork();
    const { status, body } = await block(network, 'alice', 'alice');
    expect([status, body]).toEqual([403, refusal('You cannot block yourself.')]);
  });

  test('returns 404 and names the parameter for an unknown user', async () => {
    const network = await startNetwork();
    const { status, body } = await block(network, 'alice', '404');
    expect([status, body]).toEqual([404, missingTarget('user', 'target_user_id', '404')]);
  });

  test('returns 400 on behalf of another user', async () => {
    const { as } = await startNetwork();
    const { status } = await as('alice').post(`/2/users/${ID.bob}/blocking`, { target_user_id: ID.carol });
    expect(status).toBe(400);
  });

  test('requires a user', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.post(`/2/users/${ID.alice}/blocking`, { target_user_id: ID.bob });
    expect([status, body.title]).toEqual([403, 'Unsupported Authentication']);
  });
});

describe('unblocking', () => {
  test('restores no follows, and allows new ones', async () => {
    const network = await startNetwork(friends);
    await block(network, 'alice', 'bob');
    const { status, body } = await unblock(network, 'alice', 'bob');
    expect([status, body]).toEqual([200, NOT_BLOCKING]);
    expect(await statusOf(network, 'alice', 'bob')).toEqual([]);
    expect(await countsOf(network, 'alice')).toEqual([0, 0]);
    expect((await follow(network, 'bob', 'alice')).body.data.following).toBe(true);
  });

  test('removes only the caller’s own block', async () => {
    const network = await startNetwork({
      blocks: [
        { from: 'alice', to: 'bob' },
        { from: 'bob', to: 'alice' },
      ],
    });
    await unblock(network, 'alice', 'bob');
    expect(await statusOf(network, 'alice', 'bob')).toEqual([]);
    expect(await statusOf(network, 'bob', 'alice')).toEqual(['blocking']);
    expect((await follow(network, 'alice', 'bob')).body).toEqual(NOT_PERMITTED);
  });

  test.each(['bob', 'alice', '404'])(
    'succeeds when %s is not blocked (docs/api/errors.md#refused-actions)',
    async (to) => {
      const network = await startNetwork();
      const { status, body } = await unblock(network, 'alice', to);
      expect([status, body]).toEqual([200, NOT_BLOCKING]);
    },
  );

  test('returns 400 and names the parameter on behalf of another user', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').delete(`/2/users/${ID.bob}/blocking/${ID.carol}`);
    expect(status).toBe(400);
    expect(body.errors[0].parameters).toEqual({ source_user_id: [ID.bob] });
  });
});

describe('with a block in either direction', () => {
  const ROOT = postId(1);
  const MIDDLE = postId(2);
  const world: World = {
    posts: [
      { id: ROOT, author: 'alice', text: 'Root' },
      { id: MIDDLE, author: 'carol', text: 'Middle', in_reply_to: ROOT },
    ],
  };
  const BOTH: readonly [Name, Name][] = [
    ['alice', 'bob'],
    ['bob', 'alice'],
  ];

  test.each(BOTH)('%s blocking %s: follow, reply, quote, like and repost are refused', async (from, to) => {
    const network = await startNetwork(world);
    await block(network, from, to);
    const bob = network.as('bob');
    for (const { status } of [
      await follow(network, 'bob', 'alice'),
      await bob.post('/2/tweets', { text: 'Aha', in_reply_to_tweet_id: ROOT }),
      await bob.post('/2/tweets', { text: 'Aha', quote_tweet_id: ROOT }),
    ]) {
      expect(status).toBe(403);
    }
    for (const act of ['likes', 'retweets']) {
      const { status, body } = await bob.post(`/2/users/${ID.bob}/${act}`, { tweet_id: ROOT });
      expect([status, body], act).toEqual([403, NOT_PERMITTED]);
    }
  });

  test.each(BOTH)('%s blocking %s: replies of others to the post can be answered', async (from, to) => {
    const network = await startNetwork(world);
    await block(network, from, to);
    const reply = { text: 'Aha', in_reply_to_tweet_id: MIDDLE };
    expect((await network.as('bob').post('/2/tweets', reply)).status).toBe(201);
  });
});

describe('concurrent requests', () => {
  test('a block leaves no follow in place', async () => {
    const network = await startNetwork();
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([
        follow(network, 'bob', 'alice'),
        follow(network, 'alice', 'bob'),
        block(network, 'alice', 'bob'),
        follow(network, 'bob', 'alice'),
        unfollow(network, 'alice', 'bob'),
        follow(network, 'alice', 'bob'),
      ]);
      expect(await statusOf(network, 'alice', 'bob')).toEqual(['blocking']);
      for (const name of ['alice', 'bob'] as const) expect(await countsOf(network, name)).toEqual([0, 0]);
      await unblock(network, 'alice', 'bob');
    }
  });

  test('a block leaves no follow request in place', async () => {
    const network = await startNetwork({ users: [{ username: 'alice', protected: true }] });
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([
        follow(network, 'bob', 'alice'),
        block(network, 'bob', 'alice'),
        follow(network, 'bob', 'alice'),
      ]);
      expect(await statusOf(network, 'bob', 'alice')).toEqual(['blocking']);
      await unblock(network, 'bob', 'alice');
    }
  });

  test('two users can block each other', async () => {
    const network = await startNetwork(friends);
    await Promise.all([block(network, 'alice', 'bob'), block(network, 'bob', 'alice')]);
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['blocking']);
    expect(await statusOf(network, 'bob', 'alice')).toEqual(['blocking']);
    expect(await countsOf(network, 'alice')).toEqual([0, 0]);
  });
});
