import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import { USERS, type Username } from '../support/world.js';
import { INVALID_REQUEST, missingTarget, refusal } from './support/errors.js';
import { ID, MINUTE_MS, startNetwork, type World } from './support/network.js';
import { countsOf, follow, statusOf, unfollow } from './support/relations.js';

/** Following and unfollowing (docs/api/errors.md#refused-actions, docs/api/people.md#follows-blocks-and-mutes). */

const FOLLOWING = { data: { following: true, pending_follow: false } };
const PENDING = { data: { following: false, pending_follow: true } };
const NOT_FOLLOWING = { data: { following: false } };
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

const protectedDave: World = { users: [{ username: 'dave', protected: true }] };

describe('following a user', () => {
  test('updates the counts of both users and connection_status', async () => {
    const network = await startNetwork();
    const { status, body } = await follow(network, 'alice', 'bob');
    expect([status, body]).toEqual([200, FOLLOWING]);
    expect(await countsOf(network, 'alice')).toEqual([0, 1]);
    expect(await countsOf(network, 'bob')).toEqual([1, 0]);
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['following']);
    expect(await statusOf(network, 'bob', 'alice')).toEqual(['followed_by']);
  });

  test('is idempotent (docs/api/errors.md#refused-actions)', async () => {
    const network = await startNetwork();
    for (let time = 0; time < 3; time += 1) {
      const { status, body } = await follow(network, 'alice', 'bob');
      expect([status, body]).toEqual([200, FOLLOWING]);
    }
    expect(await countsOf(network, 'bob')).toEqual([1, 0]);
  });

  test('accepts the id as a JSON integer', async () => {
    const network = await startNetwork();
    const path = `/2/users/${ID.alice}/following`;
    const { body } = await network.as('alice').post(path, { target_user_id: Number(ID.bob) });
    expect(body).toEqual(FOLLOWING);
  });

  test('returns 403 for oneself', async () => {
    const network = await startNetwork();
    const { status, body } = await follow(network, 'alice', 'alice');
    expect([status, body]).toEqual([403, refusal('You cannot follow yourself.')]);
  });

  test('returns 404 and names the parameter for an unknown user', async () => {
    const network = await startNetwork();
    const { status, body } = await follow(network, 'alice', '404');
    expect([status, body]).toEqual([404, missingTarget('user', 'target_user_id', '404')]);
  });

  test('returns 403 for a suspended user', async () => {
    const network = await startNetwork();
    await network.suspend('bob');
    const { status, body } = await follow(network, 'alice', 'bob');
    expect([status, body]).toEqual([403, NOT_PERMITTED]);
  });

  test.each([
    ['blocks the follower', { from: 'bob', to: 'alice' }],
    ['is blocked by the follower', { from: 'alice', to: 'bob' }],
  ])('returns 403 and leaves no request for a user who %s', async (_, block) => {
    const users = [{ username: 'bob', protected: true }];
    const network = await startNetwork({ users, blocks: [block] });
    const { status, body } = await follow(network, 'alice', 'bob');
    expect([status, body]).toEqual([403, NOT_PERMITTED]);
    expect(await countsOf(network, 'bob')).toEqual([0, 0]);
    expect(await statusOf(network, 'bob', 'alice')).not.toContain('follow_request_received');
  });

  test.each([
    [{}, '$.target_user_id: is missing but it is required'],
    [{ target_user_id: 'bob' }, '$.target_user_id: does not match the regex pattern ^[0-9]{1,19}$'],
    [{ target_user_id: null }, '$.target_user_id: null found, string expected'],
  ])('returns 400 for the body %j', async (sent, message) => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post(`/2/users/${ID.alice}/following`, sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...INVALID_REQUEST, errors: [{ message }] });
  });

  test('returns 400 and names both ids on behalf of another user', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post(`/2/users/${ID.bob}/following`, {
      target_user_id: ID.carol,
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        parameters: { id: [ID.bob] },
        message: `The \`id\` query parameter value [${ID.bob}] must be the same as the authenticating user [${ID.alice}]`,
      },
    ]);
  });

  test('requires a user', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.post(`/2/users/${ID.alice}/following`, { target_user_id: ID.bob });
    expect([status, body.title]).toEqual([403, 'Unsupported Authentication']);
  });
});

describe('following a protected user', () => {
  test('sends one request, however often, visible to both users (docs/api/people.md#follows-blocks-and-mutes)', async () => {
    const network = await startNetwork(protectedDave);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await follow(network, 'alice', 'dave');
      expect([status, body]).toEqual([200, PENDING]);
    }
    expect(await countsOf(network, 'dave')).toEqual([0, 0]);
    expect(await statusOf(network, 'alice', 'dave')).toEqual(['follow_request_sent']);
    expect(await statusOf(network, 'dave', 'alice')).toEqual(['follow_request_received']);
  });

  test('sends no request if the user is already followed', async () => {
    const network = await startNetwork({ ...protectedDave, follows: [{ from: 'alice', to: 'dave' }] });
    expect((await follow(network, 'alice', 'dave')).body).toEqual(FOLLOWING);
    expect(await statusOf(network, 'alice', 'dave')).toEqual(['following']);
  });

  test('is cancelled by unfollowing', async () => {
    const network = await startNetwork(protectedDave);
    await follow(network, 'alice', 'dave');
    expect((await unfollow(network, 'alice', 'dave')).body).toEqual(NOT_FOLLOWING);
    expect(await statusOf(network, 'alice', 'dave')).toEqual([]);
  });
});

describe('unfollowing', () => {
  test('removes the follow in one direction only', async () => {
    const network = await startNetwork({
      follows: [
        { from: 'alice', to: 'bob' },
        { from: 'bob', to: 'alice' },
      ],
    });
    const { status, body } = await unfollow(network, 'alice', 'bob');
    expect([status, body]).toEqual([200, NOT_FOLLOWING]);
    expect(await countsOf(network, 'alice')).toEqual([1, 0]);
    expect(await countsOf(network, 'bob')).toEqual([0, 1]);
    expect(await statusOf(network, 'alice', 'bob')).toEqual(['followed_by']);
  });

  test.each(['bob', 'alice', '404'])(
    'succeeds when %s is not followed (docs/api/errors.md#refused-actions)',
    async (to) => {
      const network = await startNetwork();
      const { status, body } = await unfollow(network, 'alice', to);
      expect([status, body]).toEqual([200, NOT_FOLLOWING]);
      expect(await countsOf(network, 'alice')).toEqual([0, 0]);
    },
  );

  test('returns 400 and names the parameter on behalf of another user', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').delete(`/2/users/${ID.bob}/following/${ID.carol}`);
    expect(status).toBe(400);
    expect(body.errors[0].parameters).toEqual({ source_user_id: [ID.bob] });
  });
});

describe('concurrent requests', () => {
  test('following one user twelve times counts once', async () => {
    const network = await startNetwork();
    const answers = await Promise.all(Array.from({ length: 12 }, () => follow(network, 'alice', 'bob')));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => FOLLOWING));
    expect(await countsOf(network, 'alice')).toEqual([0, 1]);
    expect(await countsOf(network, 'bob')).toEqual([1, 0]);
  });

  test('follows of one user by everybody, and back, each count', async () => {
    const network = await startNetwork();
    const others = ['bob', 'carol', 'dave', 'erin', 'frank'] as const;
    await Promise.all(
      others.flatMap((name) => [follow(network, name, 'alice'), follow(network, 'alice', name)]),
    );
    expect(await countsOf(network, 'alice')).toEqual([5, 5]);
    for (const name of others) expect(await countsOf(network, name)).toEqual([1, 1]);
  });

  test('follows and unfollows leave counts consistent with the follow', async () => {
    const network = await startNetwork();
    const acts = Array.from({ length: 24 }, (_, n) => (n % 3 === 0 ? unfollow : follow));
    const answers = await Promise.all(acts.map((act) => act(network, 'alice', 'bob')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const follows = (await statusOf(network, 'alice', 'bob')).includes('following') ? 1 : 0;
    expect(await countsOf(network, 'alice')).toEqual([0, follows]);
    expect(await countsOf(network, 'bob')).toEqual([follows, 0]);
  });
});

describe('daily limits', () => {
  /** Spaces 50 calls over a day, with at most two in a quarter of an hour. */
  const STEP_MS = 8 * MINUTE_MS;

  /**
   * Scales the documented limits to a twentieth: 2 calls in 15 minutes; 20 follows a day per user, 50 follows and 25
   * unfollows a day per app. The result counts the calls of a user until one is refused.
   */
  async function startCapped() {
    let nowMs = Date.parse('2022-10-07T00:00:00Z');
    const app = await startTestApp({ clock: () => nowMs, flags: { rateLimits: '0.05' } });
    onTestFinished(app.close);
    return async (act: 'follow' | 'unfollow', name: Username): Promise<number> => {
      const path = `/2/users/${USERS[name]}/following`;
      for (let count = 0; ; count += 1) {
        // Tokens live for two hours.
        const token = await app.as(name);
        const { status, headers } =
          act === 'follow'
            ? await app.post(path, token, { target_user_id: USERS.dave })
            : await app.delete(`${path}/${USERS.dave}`, token);
        if (status !== 200) {
          expect(status).toBe(429);
          expect(Number(headers['retry-after'])).toBeGreaterThan(15 * 60);
          return count;
        }
        nowMs += STEP_MS;
      }
    };
  }

  test('allow 400 follows a day per user and 1,000 per app', async () => {
    const countAllowed = await startCapped();
    expect(await countAllowed('follow', 'alice')).toBe(20);
    expect(await countAllowed('follow', 'bob')).toBe(20);
    expect(await countAllowed('follow', 'carol')).toBe(10);
  });

  test('allow 500 unfollows a day per app', async () => {
    const countAllowed = await startCapped();
    expect(await countAllowed('unfollow', 'alice')).toBe(25);
    expect(await countAllowed('unfollow', 'bob')).toBe(0);
  });
});
