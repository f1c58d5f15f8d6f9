import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/core/access.js';
import { ACTIVITY_TYPES, activityRuleOf, type ActivityType } from '../../src/core/activity.js';
import type { AppId, UserId } from '../../src/core/ids.js';
import { disconnectApp } from '../../src/services/accounts/connected-apps.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL, type TestAnswer, type TestApp } from '../support/app.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP, standardWorld } from '../support/world.js';

/** Subscriptions to activity (docs/api/activity.md#subscriptions). */

const NOW = '2022-10-07T22:42:12.000Z';
const PATH = '/2/activity/subscriptions';
const MAX_SUBSCRIPTIONS = 6;

const OTHER = {
  id: '77',
  owner: 'bob',
  permissions: 'read',
  redirect_uris: [],
  name: 'Other',
  api_key: 'other-key',
  api_secret: 'other-secret',
  bearer_token: 'other-bearer',
  client_id: 'other-client',
};

let app: TestApp;
let alice: string;
let aliceId: string;
let bobId: string;
beforeAll(async () => {
  const world = standardWorld();
  app = await startTestApp({
    world: { ...world, apps: [...(world.apps ?? []), OTHER] },
    clock: () => Date.parse(NOW),
    flags: { activitySubscriptions: String(MAX_SUBSCRIPTIONS) },
  });
  alice = await app.as('alice');
  aliceId = await idOf('alice');
  bobId = await idOf('bob');
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const token of [app.bearer, OTHER.bearer_token]) {
    const ids = (await listed(token)).map(({ subscription_id }) => subscription_id as string);
    if (ids.length > 0) await app.delete(`${PATH}?ids=${ids.join()}`, token);
  }
});

async function idOf(username: string): Promise<string> {
  const { body } = await app.get(`/2/users/by/username/${username}`, app.bearer);
  return body.data.id as string;
}

async function listed(token = app.bearer): Promise<LooseJson[]> {
  const { status, body } = await app.get(PATH, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.data ?? []) as LooseJson[];
}

const subscribe = (event_type: string, filter: object, token = app.bearer, more: object = {}) =>
  app.post(PATH, token, { event_type, filter, ...more });

async function subscribed(event_type: string, filter: object, token?: string): Promise<string> {
  const { status, body } = await subscribe(event_type, filter, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.subscription.subscription_id as string;
}

/** Returns the smallest filter that fits a type, for alice. */
function filterOf(type: ActivityType): object {
  return activityRuleOf(type).takesKeyword ? { keyword: 'heron' } : { user_id: aliceId };
}

describe('subscribing', () => {
  test('answers with the subscription and how many there are', async () => {
    const { status, body } = await subscribe('post.create', { user_id: bobId }, app.bearer, { tag: 'birds' });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        subscription: {
          created_at: NOW,
          event_type: 'post.create',
          filter: { user_id: bobId },
          subscription_id: expect.stringMatching(/^[0-9]+$/),
          tag: 'birds',
          updated_at: NOW,
        },
      },
      meta: { total_subscriptions: 1 },
    });
    expect(await listed()).toEqual([body.data.subscription]);
  });

  test.each(ACTIVITY_TYPES)('users subscribe to %s with its scope, and not without', async (type) => {
    const { scope } = activityRuleOf(type);
    const others: readonly Scope[] = SCOPES.filter((one) => one !== scope);
    expect((await subscribe(type, filterOf(type), await app.as('alice', others))).status).toBe(403);
    expect((await subscribe(type, filterOf(type), await app.as('alice', [scope]))).status).toBe(200);
  });

  test.each(ACTIVITY_TYPES)(
    '%s: apps subscribe to what is public, users for themselves to the rest',
    async (type) => {
      const { isPrivate = false } = activityRuleOf(type);
      const byApp = await subscribe(type, filterOf(type));
      expect([byApp.status, byApp.body.title]).toEqual(
        isPrivate ? [403, 'Unsupported Authentication'] : [200, undefined],
      );
      if (isPrivate) expect((await subscribe(type, { user_id: bobId }, alice)).status).toBe(403);
    },
  );

  test('messages need the permission for direct messages', async () => {
    for (const [permission, status] of [
      ['read_write', 403],
      ['read_write_dm', 200],
    ] as const) {
      const keys = await app.oauth1('alice', permission);
      const authorization = signHeader({
        method: 'POST',
        url: TEST_URL + PATH,
        consumerKey: keys.appKey,
        consumerSecret: keys.appSecret,
        token: keys.accessToken,
        tokenSecret: keys.accessSecret,
        timestampSeconds: Math.floor(Date.parse(NOW) / 1000),
        nonce: permission,
      });
      const payload = { event_type: 'dm.received', filter: { user_id: aliceId } };
      const answer = await app.request({ method: 'POST', url: PATH, headers: { authorization }, payload });
      expect(answer.status).toBe(status);
    }
  });

  test('a former name is answered with the current one', async () => {
    const { body } = await subscribe('chat.conversation_join', { user_id: aliceId }, alice);
    expect(body.data.subscription.event_type).toBe('chat.conversation.join');
  });

  test('a direction is taken by the types that have one', async () => {
    for (const type of ACTIVITY_TYPES) {
      const { isDirectional = false, isPrivate = false } = activityRuleOf(type);
      const filter = { ...filterOf(type), direction: 'inbound' };
      const { status } = await subscribe(type, filter, isPrivate ? alice : app.bearer);
      expect([type, status]).toEqual([type, isDirectional ? 200 : 400]);
      await app.delete(
        `${PATH}?ids=${(await listed()).map((one) => one.subscription_id as string).join()}`,
        app.bearer,
      );
    }
  });

  test.each([
    ['an unknown type', { event_type: 'post.read', filter: { user_id: '1' } }],
    ['no filter', { event_type: 'post.create' }],
    ['an empty filter', { event_type: 'post.create', filter: {} }],
    ['a keyword', { event_type: 'post.create', filter: { keyword: 'heron' } }],
    ['both', { event_type: 'post.create', filter: { user_id: '1', keyword: 'heron' } }],
    ['a user for news', { event_type: 'news.new', filter: { user_id: '1' } }],
    ['an unknown direction', { event_type: 'follow.follow', filter: { user_id: '1', direction: 'up' } }],
    ['an unknown member', { event_type: 'post.create', filter: { user_id: '1', name: 'alice' } }],
    ['an empty tag', { event_type: 'post.create', filter: { user_id: '1' }, tag: '' }],
    ['a long tag', { event_type: 'post.create', filter: { user_id: '1' }, tag: 'x'.repeat(201) }],
  ])('with %s is refused with 400', async (_, sent) => {
    expect((await app.post(PATH, app.bearer, sent)).status).toBe(400);
  });

  test('to an unknown user is refused with 404', async () => {
    const { status, body } = await subscribe('post.create', { user_id: '999999' });
    expect([status, body]).toMatchObject([404, { resource_type: 'user', resource_id: '999999' }]);
  });

  test('twice to the same is refused with 409, at the same time too; other filters are others', async () => {
    const filter = { user_id: bobId };
    const answers = await Promise.all([
      subscribe('follow.follow', filter),
      subscribe('follow.follow', filter),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await subscribe('follow.follow', filter)).status).toBe(409);
    expect((await subscribe('follow.follow', { ...filter, direction: 'inbound' })).status).toBe(200);
    expect((await subscribe('follow.unfollow', filter)).status).toBe(200);
    expect((await subscribe('follow.follow', filter, OTHER.bearer_token)).status).toBe(200);
  });

  test('of users and of the app are no duplicates of each other', async () => {
    const filter = { user_id: bobId };
    const carol = await app.as('carol');
    await subscribed('post.create', filter, alice);
    await subscribed('post.create', filter, carol);
    const id = await subscribed('post.create', filter);
    expect((await subscribe('post.create', filter, alice)).status).toBe(409);
    expect((await subscribe('post.create', filter)).status).toBe(409);
    expect((await app.put(`${PATH}/${id}`, app.bearer, { tag: 'herons' })).status).toBe(200);
  });

  test('more often than an app may is refused with 403', async () => {
    const types = ACTIVITY_TYPES.filter((type) => !activityRuleOf(type).isPrivate).slice(
      0,
      MAX_SUBSCRIPTIONS + 1,
    );
    const answers: TestAnswer[] = [];
    for (const type of types) answers.push(await subscribe(type, filterOf(type)));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(MAX_SUBSCRIPTIONS).fill(200), 403]);
    expect(answers.at(-1)?.body.detail).toContain(String(MAX_SUBSCRIPTIONS));
  });
});

describe('the list', () => {
  test('is empty at first', async () => {
    expect((await app.get(PATH, app.bearer)).body).toEqual({
      meta: { total_subscriptions: 0, result_count: 0 },
    });
  });

  test('is the newest first, and its pages joined are the whole', async () => {
    const ids: string[] = [];
    for (const type of ['post.create', 'post.delete', 'spaces.start']) {
      ids.unshift(await subscribed(type, { user_id: bobId }));
    }
    const seen: string[] = [];
    for (let token = ''; ;) {
      const { body } = await app.get(`${PATH}?max_results=1${token}`, app.bearer);
      expect(body.meta.total_subscriptions).toBe(3);
      seen.push(...body.data.map((one: LooseJson) => one.subscription_id as string));
      if (body.meta.next_token === undefined) break;
      token = `&pagination_token=${body.meta.next_token}`;
    }
    expect(seen).toEqual(ids);
  });

  test('has for an app its own subscriptions, and for a user those made by that user', async () => {
    const byApp = await subscribed('post.create', { user_id: bobId });
    const byAlice = await subscribed('post.delete', { user_id: bobId }, alice);
    await subscribed('post.create', { user_id: bobId }, OTHER.bearer_token);
    const idsOf = async (token: string) => (await listed(token)).map((one) => one.subscription_id as string);
    expect(await idsOf(app.bearer)).toEqual([byAlice, byApp]);
    expect(await idsOf(alice)).toEqual([byAlice]);
    expect(await idsOf(await app.as('bob'))).toEqual([]);
  });
});

describe('a subscription', () => {
  test('gets another tag', async () => {
    const id = await subscribed('post.create', { user_id: bobId });
    const { status, body } = await app.put(`${PATH}/${id}`, app.bearer, { tag: 'ponds' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      subscription: { subscription_id: id, tag: 'ponds' },
      total_subscriptions: 1,
    });
    expect((await app.put(`${PATH}/${id}`, app.bearer, {})).body.data.subscription.tag).toBe('ponds');
  });

  test('is deleted', async () => {
    const id = await subscribed('post.create', { user_id: bobId });
    const { status, body } = await app.delete(`${PATH}/${id}`, app.bearer);
    expect([status, body]).toEqual([200, { data: { deleted: true }, meta: { total_subscriptions: 0 } }]);
    expect(await listed()).toEqual([]);
  });

  test('of another app, or deleted, is not found', async () => {
    const id = await subscribed('post.create', { user_id: bobId });
    for (const answer of [
      await app.put(`${PATH}/${id}`, OTHER.bearer_token, { tag: 'x' }),
      await app.delete(`${PATH}/${id}`, OTHER.bearer_token),
    ]) {
      expect([answer.status, answer.body.resource_type]).toEqual([404, 'activity_subscription']);
    }
    await app.delete(`${PATH}/${id}`, app.bearer);
    expect((await app.delete(`${PATH}/${id}`, app.bearer)).status).toBe(404);
  });

  test('several are deleted by their ids; unknown ones are reported', async () => {
    const ids = [
      await subscribed('post.create', { user_id: bobId }),
      await subscribed('post.delete', { user_id: bobId }),
    ];
    await subscribed('spaces.end', { user_id: bobId });
    const { status, body } = await app.delete(`${PATH}?ids=${ids.join()},12`, app.bearer);
    expect([status, body]).toEqual([
      200,
      {
        data: ids.map((subscription_id) => ({ subscription_id, deleted: true })),
        errors: [
          {
            subscription_id: '12',
            message: 'The app has no subscription with this id.',
            reason: 'SubscriptionNotFound',
          },
        ],
        meta: { total_subscriptions: 1 },
      },
    ]);
  });

  test('ends when its user disconnects the app', async () => {
    await subscribed('post.create', { user_id: bobId });
    await subscribed('like.create', { user_id: aliceId }, alice);
    await disconnectApp(app.pipit.backend, BigInt(aliceId) as UserId, BigInt(APP.id) as AppId);
    expect((await listed()).map(({ event_type }) => event_type as string)).toEqual(['post.create']);
    alice = await app.as('alice');
  });
});
