import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { APP } from '../support/world.js';
import { startRecorded } from './support/recorded-server.js';

/** What the journal names as nearest to a refused request (docs/journal.md#refusals). */

let server: Awaited<ReturnType<typeof startRecorded>>;
beforeAll(async () => {
  server = await startRecorded();
});
afterEach(() => server.journal.clear());
afterAll(() => server[Symbol.asyncDispose]());

async function nearestTo(path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${APP.bearer_token}`,
    ...(init.headers as Record<string, string>),
  };
  await (await fetch(server.url + path, { ...init, headers })).text();
  const { entries } = await server.journal.waitFor({ refused: true }, 1, 5_000);
  return entries[0]?.refusal?.nearest;
}

test.each([
  ['/2/tweet/1500000000000000001', 'GET /2/tweets/{id}'],
  ['/2/users/by/usernames/alice', 'GET /2/users/by/username/{username}'],
  ['/2/users/1001/tweet', 'GET /2/users/{id}/tweets'],
  ['/2/search/recent', 'GET /2/tweets/search/recent'],
  ['/3/everything', undefined],
])('the path %s is nearest to %s', async (path, accepted) => {
  const nearest = await nearestTo(path);
  if (accepted === undefined) expect(nearest).toBeUndefined();
  else expect(nearest).toEqual([{ kind: 'operation', sent: `GET ${path}`, accepted: [accepted] }]);
});

test('a wrong method gets those that the path has', async () => {
  expect(await nearestTo('/2/tweets/1500000000000000001', { method: 'PATCH' })).toEqual([
    {
      kind: 'method',
      sent: 'PATCH',
      accepted: ['DELETE', 'GET', 'HEAD'],
    },
  ]);
});

test('a misspelt parameter, expansion and field get the nearest names', async () => {
  expect(await nearestTo('/2/users/1001?expansion=pinned_tweet_id&user.fields=craeted_at,name')).toEqual([
    { kind: 'parameter', sent: 'expansion', accepted: ['expansions'] },
    { kind: 'value', sent: 'craeted_at', accepted: ['created_at'] },
  ]);
});

test('a misspelt member of a body gets the nearest one', async () => {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await server.app.as('alice')}`,
  };
  const body = JSON.stringify({ text: 'x', reply: { in_reply_to_tweetid: '1500000000000000001' } });
  expect(await nearestTo('/2/tweets', { method: 'POST', headers, body })).toContainEqual({
    kind: 'field',
    sent: '$.reply.in_reply_to_tweetid',
    accepted: ['$.reply.in_reply_to_tweet_id'],
  });
});

test('a missing scope and a wrong kind of credentials get those that are needed', async () => {
  const authorization = `Bearer ${await server.app.as('alice', ['users.read', 'tweet.read'])}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"text":"x"}' };
  expect(await nearestTo('/2/tweets', init)).toEqual([
    { kind: 'scope', accepted: ['tweet.read', 'users.read', 'tweet.write'] },
  ]);
  server.journal.clear();
  expect(await nearestTo('/2/users/me')).toMatchObject([
    {
      kind: 'credentials',
      sent: 'OAuth 2.0 Application-Only',
      accepted: [expect.any(String), expect.any(String)],
    },
  ]);
});
