import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/core/access.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { readStream } from '../streams/support/read-stream.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP, USERS } from '../support/world.js';
import { startActivityApp, type ActivityApp } from './support/activity-app.js';

/** What subscriptions of users send when the app loses access (docs/api/activity.md#end-of-access). */

const HOUR_MS = 3_600_000;
const SCOPES: readonly Scope[] = ['tweet.read', 'users.read', 'dm.read', 'dm.write', 'mute.read'];

let nowMs: number;
let server: ActivityApp;
beforeEach(async () => {
  nowMs = Date.now();
  server = await startActivityApp({ clock: () => nowMs });
});
afterEach(() => server.close());

async function subscribedWith(token: string): Promise<void> {
  const { app, webhookId } = server;
  const wanted = { event_type: 'dm.received', filter: { user_id: USERS.bob }, webhook_id: webhookId };
  expect((await app.post('/2/activity/subscriptions', token, wanted)).status).toBe(200);
  const path = `/2/account_activity/webhooks/${webhookId}/subscriptions/all`;
  expect((await app.post(path, token, {})).status).toBe(200);
}

async function write(text: string): Promise<void> {
  const token = await server.app.as('alice');
  const path = `/2/dm_conversations/with/${USERS.bob}/messages`;
  expect((await server.app.post(path, token, { text })).status).toBe(201);
}

/** Returns the kinds of messages that the webhook received: of subscriptions, and of account activity. */
async function receivedKinds(): Promise<string[]> {
  return (await server.received())
    .map(({ data }) => (data === undefined ? 'account' : 'subscription'))
    .sort();
}

const BOTH = ['account', 'subscription'];

async function revoke(token: string): Promise<void> {
  const credentials = Buffer.from(`${APP.client_id}:${APP.client_secret}`).toString('base64');
  const { status } = await server.app.request({
    method: 'POST',
    url: '/2/oauth2/revoke',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  });
  expect(status).toBe(200);
}

describe('webhooks receive nothing', () => {
  test('after the token was revoked, until there is another', async () => {
    const token = await server.app.as('bob', SCOPES);
    await subscribedWith(token);
    await write('one');
    expect(await receivedKinds()).toEqual(BOTH);
    await revoke(token);
    await write('two');
    expect(await receivedKinds()).toEqual([]);
    await server.app.as('bob', SCOPES);
    await write('three');
    expect(await receivedKinds()).toEqual(BOTH);
  });

  test('after the token expired without a refresh token', async () => {
    await subscribedWith(await server.app.as('bob', SCOPES));
    nowMs += 3 * HOUR_MS;
    await write('one');
    expect(await receivedKinds()).toEqual([]);
  });

  test('for tokens that are left without the scopes', async () => {
    const token = await server.app.as('bob', SCOPES);
    await subscribedWith(token);
    await server.app.as(
      'bob',
      SCOPES.filter((scope) => scope !== 'dm.read'),
    );
    await revoke(token);
    await write('one');
    expect(await receivedKinds()).toEqual([]);
  });

  test('while the subscriber is suspended', async () => {
    await subscribedWith(await server.app.as('bob', SCOPES));
    const { backend } = server.app.pipit;
    await server.subscribe('post.create', 'carol', { by: 'bob' });
    await suspendAccount(backend, server.idOf('bob'), true);
    await server.post('carol', 'a heron for @bob');
    expect(await receivedKinds()).toEqual([]);
    await suspendAccount(backend, server.idOf('bob'), false);
    await server.post('carol', 'another for @bob');
    expect(await receivedKinds()).toEqual(BOTH);
  });
});

describe('webhooks still receive', () => {
  test('while the refresh token can be exchanged', async () => {
    await subscribedWith(await server.app.as('bob', [...SCOPES, 'offline.access']));
    nowMs += 3 * HOUR_MS;
    await write('one');
    expect(await receivedKinds()).toEqual(BOTH);
    nowMs += 183 * 24 * HOUR_MS;
    await write('two');
    expect(await receivedKinds()).toEqual([]);
  });

  test('with a token of OAuth 1.0a, if its permission includes messages', async () => {
    const token = await server.app.as('bob', SCOPES);
    await subscribedWith(token);
    await server.app.oauth1('bob', 'read');
    await revoke(token);
    await write('one');
    expect(await receivedKinds()).toEqual([]);
    await server.app.oauth1('bob', 'read_write_dm');
    await write('two');
    expect(await receivedKinds()).toEqual(BOTH);
  });
});

test('the stream leaves out what the app may no longer receive', async () => {
  const token = await server.app.as('bob', SCOPES);
  await subscribedWith(token);
  await server.subscribe('post.create', 'alice');
  const reader = await readStream(await server.app.listen(), server.app.bearer, '', {}, '/2/activity/stream');
  try {
    const next = async () => ((await reader.next()).data as LooseJson).event_type as string;
    await write('one');
    expect(await next()).toBe('dm.received');
    await revoke(token);
    await write('two');
    await server.post('alice', 'a heron');
    expect(await next()).toBe('post.create');
  } finally {
    reader.close();
  }
});
