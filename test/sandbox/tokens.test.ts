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

test('a world without apps or users is named as the reason that no token can be issued', async () => {
  await using bare = await startTestSandbox({
    world: { users: [{ id: '1', username: 'alice', name: 'Alice' }] },
  });
  const { status, body } = await bare.control('POST', '/tokens', { username: 'alice' });
  expect([status, body.errors[0].message]).toEqual([
    400,
    'The network has no app: add one with a world file',
  ]);
});
