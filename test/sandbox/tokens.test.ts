import { afterAll, beforeAll, expect, test } from 'vitest';
import { APP, USERS } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

let pipit: TestSandbox;

beforeAll(async () => {
  pipit = await startTestSandbox();
});

afterAll(() => pipit[Symbol.asyncDispose]());

const issue = async (body: object) => (await pipit.control('POST', '/tokens', body)).body.data;

test('without a body an OAuth 2.0 token of the first user and the first app is issued, with every scope', async () => {
  const { status, body } = await pipit.control('POST', '/tokens');
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    kind: 'oauth2',
    user: { id: USERS.alice, username: 'alice' },
    app: { id: APP.id, client_id: APP.client_id },
    expires_in: 7200,
  });
  expect((await pipit.send('GET', '/2/users/me', body.data.access_token)).body.data.username).toBe('alice');
});

test('a token of a user has the scopes that were asked for', async () => {
  const { access_token: token, scopes } = await issue({
    username: 'bob',
    scopes: ['tweet.read', 'users.read'],
  });
  expect(scopes).toEqual(['tweet.read', 'users.read']);
  expect((await pipit.send('GET', '/2/users/me', token)).body.data.username).toBe('bob');
  expect((await pipit.send('POST', '/2/tweets', token, { text: 'no' })).status).toBe(403);
});

test('a token of kind app is the bearer token of the app, and one of kind oauth1 comes with all four credentials', async () => {
  expect(await issue({ kind: 'app', app: 'test app' })).toMatchObject({ access_token: APP.bearer_token });
  expect(await issue({ kind: 'oauth1', username: '@carol', app: APP.id })).toMatchObject({
    kind: 'oauth1',
    user: { username: 'carol' },
    access_token: expect.stringMatching(/^1003-/),
    access_token_secret: expect.any(String),
    api_key: APP.api_key,
    api_secret: APP.api_secret,
  });
});

test('unknown users, apps, kinds and scopes are refused with 400', async () => {
  const bodies = [
    { username: 'nobody' },
    { app: 'nothing' },
    { kind: 'oauth3' },
    { scopes: ['all'] },
    { kind: 'oauth1', scopes: ['tweet.read'] },
    { kind: 'app', username: 'alice' },
    [],
  ];
  for (const body of bodies)
    expect([body, (await pipit.control('POST', '/tokens', body)).status]).toEqual([body, 400]);
});

const users = [{ id: '1', username: 'alice', name: 'Alice' }];

test('in a world without apps, the first token registers an app that may do everything', async () => {
  await using bare = await startTestSandbox({ world: { users } });
  const kinds = [{ username: 'alice' }, { kind: 'oauth1' }, { kind: 'app' }];
  const issued = await Promise.all(kinds.map((body) => bare.control('POST', '/tokens', body)));
  expect(issued.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(issued.map(({ body }) => body.data.app.id)).size).toBe(1);
  const token = issued[0]?.body.data.access_token;
  expect(issued[0]?.body.data.app.name).toBe('sandbox');
  expect((await bare.send('POST', '/2/tweets', token, { text: 'No app declared' })).status).toBe(201);
  expect((await bare.send('GET', '/2/dm_events', token)).status).toBe(200);
  const signIn = new URLSearchParams({
    ...{
      response_type: 'code',
      client_id: issued[0]?.body.data.app.client_id,
      state: 's',
      scope: 'tweet.read',
    },
    ...{
      redirect_uri: 'http://127.0.0.1:3000/callback',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    },
  });
  const asked = await fetch(`${bare.url}/i/oauth2/authorize?${signIn}`, { redirect: 'manual' });
  expect([asked.status, asked.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/sign-in/)]);
});

test('a reset removes the app of a world without one, and a seed gives it the same id again', async () => {
  await using bare = await startTestSandbox({ world: { users }, flags: { sandboxSeed: '7' } });
  const issue = async () => (await bare.control('POST', '/tokens')).body.data;
  const first = await issue();
  await bare.control('POST', '/reset', {});
  expect((await bare.control('GET', '/usage')).status).toBe(400);
  expect((await issue()).app.id).toBe(first.app.id);
});

test('a world without users is named as the reason that no token can be issued', async () => {
  await using bare = await startTestSandbox();
  await bare.control('PUT', '/world', {});
  for (const kind of ['oauth2', 'app']) {
    const { status, body } = await bare.control('POST', '/tokens', { kind });
    expect([kind, status, body.errors[0].message]).toEqual([
      kind,
      400,
      'The network has no user: add one with a world file',
    ]);
  }
});
