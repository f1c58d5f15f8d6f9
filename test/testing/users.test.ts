import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTesting } from './open-testing.js';

const { startPipit, PipitRefused, PipitNotStarted } = await openTesting();

const pipit = await startPipit();
const { alice, bob } = pipit.users;
afterAll(() => pipit.stop());
beforeEach(() => pipit.reset());

test('users post, reply, quote and list their posts', async () => {
  const post = await alice.post('First light');
  await bob.reply(post, 'Too early');
  await bob.quote(post, 'Look who is up');
  expect(await alice.posts()).toMatchObject([{ id: post.id, text: 'First light' }]);
  const [quote, reply] = await bob.posts();
  expect(quote?.text).toContain('Look who is up');
  expect(reply?.text).toBe('@alice Too early');
});

test('users like, repost, follow and message each other', async () => {
  const post = await alice.post('Count me');
  await bob.like(post);
  await bob.repost(post.id);
  await bob.follow(alice);
  await alice.follow(bob);
  await bob.message(alice, 'Counted');
  const fields = { query: { 'tweet.fields': 'public_metrics' } };
  const read = await alice.request('GET', `/2/tweets/${post.id}`, fields);
  expect(read).toMatchObject({ data: { public_metrics: { like_count: 1, retweet_count: 1 } } });
  expect(await alice.request('GET', '/2/dm_events')).toMatchObject({ data: [{ text: 'Counted' }] });
  await alice.delete(post);
  expect(await alice.posts()).toEqual([]);
});

test('a reset removes what a test has written, and tokens are issued again', async () => {
  await alice.post('Gone soon');
  const before = await alice.token();
  expect(await alice.token()).toBe(before);
  await pipit.reset();
  expect(await alice.posts()).toEqual([]);
});

test('a token has the scopes that a test names', async () => {
  const token = await alice.token({ scopes: ['tweet.read', 'users.read'] });
  const answer = await fetch(`${pipit.url}/2/tweets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"text":"Not allowed"}',
  });
  expect(answer.status).toBe(403);
});

test('users have credentials of OAuth 1.0a, and apps bearer tokens', async () => {
  const credentials = await alice.oauth1();
  expect(credentials).toMatchObject({ apiKey: 'test-api-key', apiSecret: 'test-api-secret' });
  expect(credentials.accessToken).toMatch(/^1-/);
  const headers = { authorization: `Bearer ${await pipit.appToken()}` };
  expect((await fetch(`${pipit.url}/2/users/1`, { headers })).status).toBe(200);
});

test('a refusal names the request and the reason', async () => {
  const refusal = await alice.post('').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PipitRefused);
  expect(refusal).toMatchObject({ status: 400, message: expect.stringMatching(/^POST \/2\/tweets: 400 ./) });
  await expect(pipit.user('nobody' as 'bob').token()).rejects.toThrow(/nobody|no such user/);
});

test('a seed freezes the clock, so that posts have the same time at each run', async () => {
  for (let run = 0; run < 2; run += 1) {
    await pipit.reset({ seed: 42 });
    const { id } = await alice.post('Again');
    const query = { 'tweet.fields': 'created_at' };
    const read = await alice.request('GET', `/2/tweets/${id}`, { query });
    expect(read).toMatchObject({ data: { created_at: '2026-01-01T00:00:00.000Z' } });
  }
});

test('a world document names the users of a server', async () => {
  await using other = await startPipit({
    world: {
      users: [{ id: '7', username: 'wren', name: 'Wren' }],
      posts: [{ id: '1001', author: 'wren', text: 'Declared', created_at: 'now-1h' }],
      apps: [
        {
          id: '9',
          name: 'a',
          owner: 'wren',
          permissions: 'read_write',
          api_key: 'k',
          api_secret: 's',
          bearer_token: 'b',
          client_id: 'c',
          redirect_uris: [],
        },
      ],
    },
  });
  expect(await other.users.wren.posts()).toMatchObject([{ id: '1001', text: 'Declared' }]);
});

test('the demo world is loaded by its name', async () => {
  await using other = await startPipit({ world: 'demo' });
  expect((await other.user('maya').posts()).length).toBeGreaterThan(5);
});

test('a server that does not start says why', async () => {
  const starting = startPipit({ world: { users: [{ id: '1', username: 'a b', name: 'A' }] } });
  const failure = await starting.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PipitNotStarted);
  expect((failure as Error).message).toContain('username');
});

test('a second handle uses a running server and leaves it running', async () => {
  const other = await startPipit({ url: pipit.url });
  await other.user('alice').post('From another handle');
  await other.stop();
  expect(await alice.posts()).toHaveLength(1);
});

test('a world of users alone is enough for users and the app to call the server', async () => {
  await using own = await startPipit({ world: { users: [{ id: '1', username: 'wren', name: 'Wren' }] } });
  await own.users.wren.post('Alone');
  expect(await own.users.wren.posts()).toMatchObject([{ text: 'Alone' }]);
  expect(await own.appToken()).toEqual(expect.any(String));
});
