import { describe, expect, test } from 'vitest';
import { missingTarget, refusal } from './support/errors.js';
import { ID, postId, startNetwork } from './support/network.js';
import { countsOf, mute, statusOf, unmute } from './support/relations.js';

/** Muting and unmuting (docs/api/errors.md#refused-actions, docs/api/people.md#follows-blocks-and-mutes). */

const MUTING = { data: { muting: true } };
const NOT_MUTING = { data: { muting: false } };

describe('muting a user', () => {
  test('is idempotent and visible to the muter only', async () => {
    const network = await startNetwork();
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await mute(network, 'alice', 'bob');
      expect([status, body]).toEqual([200, MUTING]);
    }
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['muting']);
    expect(await statusOf(network, 'bob', 'alice')).toEqual([]);
  });

  test('changes no follows, counts or visibility', async () => {
    const network = await startNetwork({
      follows: [
        { from: 'alice', to: 'bob' },
        { from: 'bob', to: 'alice' },
      ],
      posts: [
        { id: postId(1), author: 'alice', text: 'By alice' },
        { id: postId(2), author: 'bob', text: 'By bob' },
      ],
    });
    await mute(network, 'alice', 'bob');
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['followed_by', 'following', 'muting']);
    for (const name of ['alice', 'bob'] as const) {
      expect(await countsOf(network, name)).toEqual([1, 1]);
      const { body } = await network.as(name).get(`/2/tweets?ids=${postId(1)},${postId(2)}`);
      expect(body.data).toHaveLength(2);
    }
    const reply = { text: 'Aha', in_reply_to_tweet_id: postId(1) };
    expect((await network.as('bob').post('/2/tweets', reply)).status).toBe(201);
  });

  test('is possible with a block', async () => {
    const network = await startNetwork({ blocks: [{ from: 'bob', to: 'alice' }] });
    expect((await mute(network, 'alice', 'bob')).body).toEqual(MUTING);
  });

  test('returns 403 for oneself', async () => {
    const network = await startNetwork();
    const { status, body } = await mute(network, 'alice', 'alice');
    expect([status, body]).toEqual([403, refusal("You can't mute yourself.")]);
  });

  test('returns 404 and names the parameter for an unknown user', async () => {
    const network = await startNetwork();
    const { status, body } = await mute(network, 'alice', '404');
    expect([status, body]).toEqual([404, missingTarget('user', 'target_user_id', '404')]);
  });

  test('returns 400 on behalf of another user', async () => {
    const { as } = await startNetwork();
    const { status } = await as('alice').post(`/2/users/${ID.bob}/muting`, { target_user_id: ID.carol });
    expect(status).toBe(400);
  });

  test('requires a user', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.post(`/2/users/${ID.alice}/muting`, { target_user_id: ID.bob });
    expect([status, body.title]).toEqual([403, 'Unsupported Authentication']);
  });
});

describe('unmuting', () => {
  test('removes the mute in one direction only', async () => {
    const network = await startNetwork({
      mutes: [
        { from: 'alice', to: 'bob' },
        { from: 'bob', to: 'alice' },
      ],
    });
    const { status, body } = await unmute(network, 'alice', 'bob');
    expect([status, body]).toEqual([200, NOT_MUTING]);
    expect(await statusOf(network, 'alice', 'bob')).toEqual([]);
    expect(await statusOf(network, 'bob', 'alice')).toEqual(['muting']);
  });

  test.each(['bob', 'alice', '404'])(
    'succeeds when %s is not muted (docs/api/errors.md#refused-actions)',
    async (to) => {
      const network = await startNetwork();
      const { status, body } = await unmute(network, 'alice', to);
      expect([status, body]).toEqual([200, NOT_MUTING]);
    },
  );

  test('returns 400 and names the parameter on behalf of another user', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').delete(`/2/users/${ID.bob}/muting/${ID.carol}`);
    expect(status).toBe(400);
    expect(body.errors[0].parameters).toEqual({ source_user_id: [ID.bob] });
  });
});

test('concurrent mutes and unmutes leave one state and change no count', async () => {
  const network = await startNetwork();
  const acts = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? mute : unmute));
  const answers = await Promise.all(acts.map((act) => act(network, 'alice', 'bob')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(['muting', undefined]).toContain((await statusOf(network, 'alice', 'bob'))[0]);
});
