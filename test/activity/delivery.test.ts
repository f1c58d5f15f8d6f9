import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { protectAccount } from '../../src/services/relations/follow-requests.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP, USERS } from '../support/world.js';
import { hmac } from '../webhooks/support/receiver.js';
import { startActivityApp, type ActivityApp } from './support/activity-app.js';

/** Order, identity and end of events (docs/api/activity.md#events). */

let server: ActivityApp;
beforeEach(async () => {
  server = await startActivityApp();
});
afterEach(() => server.close());

const textsOf = (seen: readonly LooseJson[]): string[] => seen.map(({ payload }) => payload.text as string);

test('events have the same uuid for every subscription, and another one than other events', async () => {
  await server.subscribe('post.create', 'bob', { tag: 'a' });
  await server.subscribe('post.mention.create', 'alice', { isOwn: true });
  await server.subscribe('post.mention.create', 'carol', { isOwn: true });
  await server.post('bob', 'for @alice and @carol');
  await server.post('bob', 'for nobody');
  const seen = await server.events();
  const mention = 'post.mention.create';
  expect(seen.map(({ event_type }) => event_type as string)).toEqual([
    'post.create',
    mention,
    mention,
    'post.create',
  ]);
  const uuids = seen.map(({ event_uuid }) => event_uuid as string);
  expect(uuids[1]).toBe(uuids[2]);
  expect(new Set(uuids).size).toBe(3);
});

test('events come in the order in which they happened', async () => {
  await server.subscribe('post.create', 'bob');
  await server.subscribe('like.create', 'carol', { isOwn: true });
  const sent: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const id = await server.post('bob', `heron ${n}`);
    await server.like('carol', id);
    sent.push(id, id);
  }
  const ids = (await server.events()).map(({ payload }) => (payload.liked_tweet_id ?? payload.id) as string);
  expect(ids).toEqual(sent);
});

describe('events end', () => {
  test('with the subscription', async () => {
    const id = await server.subscribe('post.create', 'bob');
    await server.post('bob', 'one');
    expect(textsOf(await server.events())).toEqual(['one']);
    await server.app.delete(`/2/activity/subscriptions/${id}`, server.app.bearer);
    await server.post('bob', 'two');
    expect(await server.events()).toEqual([]);
  });

  test('with the webhook, which the subscription then lacks', async () => {
    await server.subscribe('post.create', 'bob');
    await server.app.delete(`/2/webhooks/${server.webhookId}`, server.app.bearer);
    await server.post('bob', 'one');
    expect(await server.events()).toEqual([]);
    const { body } = await server.app.get('/2/activity/subscriptions', server.app.bearer);
    expect(body.data).toEqual([expect.not.objectContaining({ webhook_id: expect.anything() })]);
  });

  test('when the user protects the account', async () => {
    await server.subscribe('post.create', 'bob');
    await server.post('bob', 'one');
    await protectAccount(server.app.pipit.backend, server.idOf('bob'));
    await server.post('bob', 'two');
    expect(await server.events()).toEqual([]);
  });
});

test('posts that were deleted before they could be sent are left out', async () => {
  await server.subscribe('post.create', 'bob');
  const id = await server.post('bob', 'one');
  await server.post('bob', 'two');
  await server.act('bob', 'DELETE', `/2/tweets/${id}`);
  expect(textsOf(await server.events())).toEqual(['two']);
});

describe('the webhook of a subscription', () => {
  const subscribe = (webhook_id: string) =>
    server.app.post('/2/activity/subscriptions', server.app.bearer, {
      event_type: 'post.create',
      filter: { user_id: USERS.bob },
      webhook_id,
    });

  test('is shown, and may be set later', async () => {
    const { body } = await server.app.post('/2/activity/subscriptions', server.app.bearer, {
      event_type: 'post.create',
      filter: { user_id: USERS.bob },
    });
    const { subscription_id: id } = body.data.subscription;
    await server.post('bob', 'one');
    expect(await server.events()).toEqual([]);
    const changed = await server.app.put(`/2/activity/subscriptions/${id}`, server.app.bearer, {
      webhook_id: server.webhookId,
    });
    expect(changed.body.data.subscription.webhook_id).toBe(server.webhookId);
    await server.post('bob', 'two');
    expect(textsOf(await server.events())).toEqual(['two']);
  });

  test('must be one of the app', async () => {
    const { status, body } = await subscribe('12');
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('WebhookIdInvalid')]);
  });

  test('with the same type and filter is a duplicate', async () => {
    expect((await subscribe(server.webhookId)).status).toBe(200);
    expect((await subscribe(server.webhookId)).status).toBe(409);
  });
});

test('events are signed with the secret of the app', async () => {
  await server.subscribe('post.create', 'bob');
  await server.post('bob', 'one');
  await server.events();
  const { headers, text } = server.last();
  expect(headers['x-twitter-webhooks-signature']).toBe(hmac(APP.api_secret, text));
});
