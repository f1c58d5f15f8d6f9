import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LooseJson } from '../support/loose-json.js';
import { connectMcp, type McpClient } from '../support/mcp-client.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** What the rules of faults match, and the rules that are refused (docs/sandbox.md#faults). */

let pipit: TestSandbox;
beforeAll(async () => {
  pipit = await startTestSandbox();
});
afterEach(() => pipit.control('DELETE', '/faults'));
afterAll(() => pipit[Symbol.asyncDispose]());

const read = () => pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
const add = async (rule: object) => {
  const { status, body } = await pipit.control('POST', '/faults', rule);
  expect(status).toBe(201);
  return body.data;
};

test('routes of OAuth take faults by the app and the user that a request names', async () => {
  const post = async (path: string, parameters: Record<string, string>, authorization = '') => {
    const headers = new Headers(authorization === '' ? [] : [['authorization', authorization]]);
    const body = new URLSearchParams(parameters);
    return (await fetch(pipit.url + path, { method: 'POST', headers, body })).status;
  };
  const basic = (name: string, secret: string) =>
    `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
  const exchange = { grant_type: 'authorization_code', code: 'unknown' };
  await add({ match: { app: APP.id }, effect: { status: 503 } });
  expect(await post('/2/oauth2/token', exchange, basic(APP.client_id, 'wrong'))).toBe(503);
  expect(await post('/2/oauth2/token', { ...exchange, client_id: APP.client_id })).toBe(503);
  expect(await post('/2/oauth2/token', { ...exchange, client_id: 'another' })).toBe(401);
  expect(await post('/oauth2/token', {}, basic(APP.api_key, 'wrong'))).toBe(503);
  expect(await post('/oauth/request_token', {}, `OAuth oauth_consumer_key="${APP.api_key}"`)).toBe(503);
  expect(await post('/oauth/request_token', {}, 'OAuth oauth_consumer_key="%00"')).toBe(401);
  await pipit.control('DELETE', '/faults');
  await add({ match: { user: 'alice' }, effect: { status: 503 } });
  const refresh = async (username: string): Promise<number> => {
    const issued = await pipit.control('POST', '/tokens', { username });
    return post('/2/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: issued.body.data.refresh_token,
      client_id: APP.client_id,
    });
  };
  expect([await refresh('alice'), await refresh('bob')]).toEqual([503, 401]);
  const revoke = async (username: string) =>
    post('/2/oauth2/revoke', { token: await pipit.tokenOf(username), client_id: APP.client_id });
  expect([await revoke('alice'), await revoke('bob')]).toEqual([503, 401]);
});

test('a rule disturbs the nth connection of an app to a stream', async () => {
  const connect = async (path = '/2/tweets/sample/stream'): Promise<number> => {
    const headers = { authorization: `Bearer ${APP.bearer_token}` };
    const answer = await fetch(pipit.url + path, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  await add({ match: { connection: 2 }, effect: { status: 502 } });
  const { id } = await add({ match: { connection: 3 }, effect: { status: 503 } });
  expect((await read()).status).toBe(200);
  expect([await connect(), await connect(), await connect(), await connect()]).toEqual([200, 502, 503, 200]);
  expect((await pipit.control('GET', `/faults/${id}`)).body.data).toMatchObject({
    match: { connection: 3 },
    matched: 1,
    applied: 1,
  });
  // Each stream counts by itself.
  const other = '/2/tweets/search/stream';
  await pipit.send('POST', `${other}/rules`, APP.bearer_token, { add: [{ value: 'heron' }] });
  expect([await connect(other), await connect(other)]).toEqual([200, 502]);
});

test('calls of tools take faults by operation, app, user and number, and are journaled', async () => {
  const [alice, bob] = [await pipit.tokenOf('alice'), await pipit.tokenOf('bob')];
  await using tools = await connectMcp(pipit.url, alice);
  await using bobs = await connectMcp(pipit.url, bob);
  await pipit.control('DELETE', '/journal');
  const post = async (client: McpClient, text: string) =>
    (await client.call('createTweet', { text })).meta.status as number;
  const match = { operation: 'createTweet', user: 'alice', app: APP.id };
  const { id } = await add({ match, after: 1, count: 1, effect: { status: 429 } });
  expect([await post(tools, 'One'), await post(bobs, 'Two')]).toEqual([201, 201]);
  const { isError, body, meta } = await tools.call('createTweet', { text: 'Lost' });
  expect({ isError, body, meta }).toMatchObject({
    isError: true,
    body: { title: 'Too Many Requests' },
    meta: { status: 429, headers: { 'x-rate-limit-remaining': '0', 'retry-after': expect.any(String) } },
  });
  expect(await post(tools, 'Three')).toBe(201);
  expect((await pipit.control('GET', `/faults/${id}`)).body.data).toMatchObject({ matched: 3, applied: 1 });
  expect((await tools.call('findTweetById', { id: 'x' })).isError).toBe(true);
  const entries = (await pipit.control('GET', '/journal?operation=createTweet')).body.data;
  expect(entries.map((each: LooseJson) => each.answer.status)).toEqual([201, 429, 201, 201]);
  expect(entries[1]).toMatchObject({
    via: 'POST /mcp',
    user_id: USERS.alice,
    app: { id: APP.id },
    request: { method: 'POST', path: '/2/tweets', body: { text: '{"text":"Lost"}' } },
    refusal: { reason: 'fault', detail: `rule ${id}` },
  });
  const count = async (filter: string) =>
    (await pipit.control('GET', `/journal/count?${filter}`)).body.data.count;
  expect(await count('path=/mcp&status=200')).toBe(5);
  expect(await count('operation=findTweetById&status=400&path=/2/tweets/x')).toBe(1);
  expect(JSON.stringify(entries)).not.toContain(alice);
});

test('the connection of a tool call is disturbed, and rules for all requests see the request that carries it', async () => {
  await using tools = await connectMcp(pipit.url, await pipit.tokenOf('alice'));
  await add({ match: { operation: 'findMyUser' }, count: 1, effect: { reset: 'after' } });
  await add({ match: { path: '/2/users/me' }, count: 1, effect: { cut: { after_bytes: 20 } } });
  await expect(tools.call('findMyUser')).rejects.toThrow();
  await expect(tools.call('findMyUser')).rejects.toThrow();
  await pipit.control('DELETE', '/faults');
  const { id } = await add({ match: { user: 'alice' }, after: 1, count: 1, effect: { status: 503 } });
  expect((await tools.call('findMyUser')).isError).toBe(false);
  await expect(tools.call('findMyUser')).rejects.toThrow();
  expect((await tools.call('findMyUser')).isError).toBe(false);
  expect((await pipit.control('GET', `/faults/${id}`)).body.data).toMatchObject({ matched: 3, applied: 1 });
});

test.each<[string, unknown]>([
  ['$.effect', {}],
  ['$.effect', { effect: {} }],
  ['$.effect', { effect: { body: {} } }],
  ['$.effect.status', { effect: { status: 200 } }],
  ['$.effect.status', { effect: { status: '503' } }],
  ['$.effect.delay', { effect: { delay: {} } }],
  ['$.effect.delay', { effect: { delay: { fixed: 1, uniform: { min: 1, max: 2 } } } }],
  ['$.effect.delay.fixed', { effect: { delay: { fixed: -1 } } }],
  ['$.effect.delay.fixed', { effect: { delay: { fixed: 1e9 } } }],
  ['$.effect.delay.uniform', { effect: { delay: { uniform: { min: 2, max: 1 } } } }],
  ['$.effect.delay.lognormal.sigma', { effect: { delay: { lognormal: { median: 1, sigma: 99 } } } }],
  ['$.effect.cut', { effect: { cut: {} } }],
  ['$.effect.cut', { effect: { cut: { after_bytes: 1, after_messages: 1 } } }],
  ['$.effect.drip.bytes', { effect: { drip: { bytes: 0, every_ms: 1 } } }],
  ['$.effect.reset', { effect: { reset: 'now' } }],
  ['$.effect.headers.x-a', { effect: { status: 500, headers: { 'x-a': 'a\r\nset-cookie: b' } } }],
  ['$.effect.headers', { effect: { status: 500, headers: { 'content-length': '1' } } }],
  ['$.effect.headers', { effect: { status: 500, headers: { 'a b': '1' } } }],
  ['$.match.operation', { match: { operation: 7 }, effect: { status: 500 } }],
  ['$.match.user', { match: { user: 'nobody' }, effect: { status: 500 } }],
  ['$.match.connection', { match: { connection: 0 }, effect: { status: 500 } }],
  ['$.match.headers', { match: { headers: [] }, effect: { status: 500 } }],
  ['$.probability', { probability: 2, effect: { status: 500 } }],
  ['$.count', { count: 0, effect: { status: 500 } }],
  ['$.efect', { efect: {}, effect: { status: 500 } }],
])('a rule with a faulty %s is refused: %j', async (path, rule) => {
  const { status, body } = await pipit.control('POST', '/faults', rule);
  expect(status).toBe(400);
  expect(Object.keys(body.errors[0].parameters)).toEqual([path]);
});
