import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signHeader } from '../auth/support/sign.js';
import { TEST_URL } from '../support/app.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { startRecorded } from './support/recorded-server.js';

/** What the journal keeps of requests and answers (docs/journal.md#bodies). */

let server: Awaited<ReturnType<typeof startRecorded>>;
beforeAll(async () => {
  server = await startRecorded();
});
afterEach(() => server.journal.clear());
afterAll(() => server[Symbol.asyncDispose]());

const bearer = { authorization: `Bearer ${APP.bearer_token}` };
const json = { 'content-type': 'application/json' };

test('a request is recorded with its answer, its operation and its sender', async () => {
  const answer = await fetch(`${server.url}/2/tweets/${POSTS.hello}?tweet.fields=author_id`, {
    headers: bearer,
  });
  const sent = await answer.text();
  const entry = await server.recorded('findTweetById');
  expect(entry).toMatchObject({
    id: expect.any(Number),
    requestId: answer.headers.get('x-transaction-id'),
    request: {
      method: 'GET',
      path: `/2/tweets/${POSTS.hello}`,
      query: 'tweet.fields=author_id',
      body: { bytes: 0 },
    },
    answer: { status: 200, body: { text: sent, bytes: Buffer.byteLength(sent), isCut: false } },
    app: { id: APP.id, name: expect.any(String) },
    isOpen: false,
    isCut: false,
  });
  expect(entry.answer.headers).toContainEqual(['content-length', String(Buffer.byteLength(sent))]);
  expect(entry.request.headers).toContainEqual(['authorization', 'Bearer testbearHIDDEN']);
  expect(entry).not.toHaveProperty('refusal');
});

test('the body of a write is recorded, and its user', async () => {
  const headers = { ...json, authorization: `Bearer ${await server.app.as('alice')}` };
  const body = JSON.stringify({ text: 'A heron ☀' });
  const answer = await fetch(`${server.url}/2/tweets`, { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
  await answer.text();
  const entry = await server.recorded('createTweet');
  expect(entry).toMatchObject({ userId: USERS.alice, request: { body: { text: body } } });
});

test.each([
  [
    'a form as text',
    'text/plain',
    'grant_type=x&client_secret=hidden-one',
    'grant_type=x&client_secret=HIDDEN',
  ],
  ['a form without a type', '', 'client_secret=hidden-one&a=1', 'client_secret=HIDDEN&a=1'],
  [
    'JSON as a form',
    'application/x-www-form-urlencoded',
    '{"password":"hidden-one"}',
    '{"password":"HIDDEN"}',
  ],
  [
    'a part of a multipart form',
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="client_secret"\r\n\r\nhidden-one\r\n--b--\r\n',
    undefined,
  ],
])('secrets are hidden in a body of another type than its route takes: %s', async (_, type, body, shown) => {
  const headers = { 'content-type': type };
  await (
    await fetch(`${server.url}/2/oauth2/token`, { method: 'POST', headers, body: Buffer.from(body) })
  ).text();
  const { request } = await server.recorded('POST /2/oauth2/token');
  expect(request.body).toEqual({ bytes: body.length, text: shown, isCut: false });
});

test('the path of a request is recorded without the host of an absolute target', async () => {
  const { port } = new URL(server.url);
  const path = 'http://me:password@example.test/2/users/me?user.fields=id';
  await new Promise<void>((resolve, reject) => {
    const answered = (answer: IncomingMessage): void => void answer.resume().once('end', resolve);
    httpRequest({ host: '127.0.0.1', port, path, agent: false }, answered).once('error', reject).end();
  });
  expect((await server.recorded('findMyUser')).request).toMatchObject({
    path: '/2/users/me',
    query: 'user.fields=id',
  });
});

test('a refused request has the reason', async () => {
  await (await fetch(`${server.url}/2/users/me`)).text();
  const entry = await server.recorded('findMyUser');
  expect(entry).toMatchObject({ answer: { status: 401 }, refusal: { reason: 'unauthorized' } });
  await (await fetch(`${server.url}/2/nowhere`)).text();
  expect(await server.recorded('unrouted')).toMatchObject({ refusal: { reason: 'route-not-found' } });
});

test('secrets of a token request and its answer are hidden', async () => {
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const authorization = `Basic ${Buffer.from(`${APP.api_key}:${APP.api_secret}`).toString('base64')}`;
  const answer = await fetch(`${server.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization },
    body,
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const entry = await server.recorded('POST /oauth2/token');
  expect(entry.request.body.text).toBe('grant_type=client_credentials');
  expect(entry.answer.body.text).toContain('"access_token":"HIDDEN"');
  expect(JSON.stringify(entry)).not.toContain(token);
  expect(JSON.stringify(entry)).not.toContain(authorization);
});

test('a long body is kept up to 64 kB, and a binary one only if it is whole', async () => {
  const headers = { ...json, authorization: `Bearer ${await server.app.as('alice')}` };
  const text = `{"text":"${'é'.repeat(50_000)}"}`;
  await (await fetch(`${server.url}/2/tweets`, { method: 'POST', headers, body: text })).text();
  const { body } = (await server.recorded('createTweet')).request;
  expect(body).toMatchObject({ bytes: Buffer.byteLength(text), isCut: true });
  expect(text.startsWith(body.text ?? 'nothing')).toBe(true);
  expect(Buffer.byteLength(body.text ?? '')).toBeGreaterThan(64 * 1024 - 4);

  const send = async (bytes: Buffer) => {
    const binary = { 'content-type': 'application/octet-stream' };
    await (await fetch(`${server.url}/2/nowhere`, { method: 'POST', headers: binary, body: bytes })).text();
    const entry = await server.recorded('unrouted');
    server.journal.clear();
    return entry.request.body;
  };
  const small = randomBytes(100);
  expect(await send(small)).toEqual({ bytes: 100, base64: small.toString('base64'), isCut: false });
  const large = await send(randomBytes(70_000));
  expect(large).toEqual({ bytes: expect.any(Number), isCut: true });
});

test('pages are recorded without their text', async () => {
  const page = await (
    await fetch(`${server.url}/docs`, { headers: { accept: 'text/html', 'accept-encoding': 'identity' } })
  ).text();
  const { answer } = await server.recorded('GET /docs');
  expect(answer.body).toEqual({ bytes: Buffer.byteLength(page), isCut: false });
});

test('tokens of OAuth 1.0a are recorded as a form with hidden secrets, although their type is that of a page', async () => {
  const signed = {
    method: 'POST',
    url: `${TEST_URL}/oauth/request_token`,
    consumerKey: APP.api_key,
    consumerSecret: APP.api_secret,
    timestampSeconds: Math.floor(Date.now() / 1000),
    nonce: 'once',
    extra: { oauth_callback: 'oob' },
  };
  const headers = { authorization: signHeader(signed) };
  const sent = await (await fetch(`${server.url}/oauth/request_token`, { method: 'POST', headers })).text();
  const { answer } = await server.recorded('POST /oauth/request_token');
  const shown = new URLSearchParams(answer.body.text);
  expect(shown.get('oauth_token')).toBe(`${new URLSearchParams(sent).get('oauth_token')?.slice(0, 8)}HIDDEN`);
  expect(shown.get('oauth_token_secret')).toBe('HIDDEN');
  expect(shown.get('oauth_callback_confirmed')).toBe('true');
});

test('a stream is recorded when it begins and again when it ends', async () => {
  const stopping = new AbortController();
  const answer = await fetch(`${server.url}/2/tweets/sample/stream`, {
    headers: bearer,
    signal: stopping.signal,
  });
  expect(answer.status).toBe(200);
  const open = await server.recorded('sampleStream');
  expect(open).toMatchObject({ isOpen: true, isCut: false, answer: { status: 200 } });
  const ended = new Promise<boolean>((resolve) => {
    server.journal.subscribe({ onEntry: ({ id, isCut }) => id === open.id && resolve(isCut) });
  });
  stopping.abort();
  expect(await ended).toBe(true);
  expect(server.journal.count()).toBe(1);
});

test('a client that leaves before the answer is recorded without a refusal', async () => {
  const headers = { ...json, authorization: `Bearer ${await server.app.as('alice')}`, 'content-length': 100 };
  const sending = httpRequest(`${server.url}/2/tweets`, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write('{"te');
  sending.on('socket', (socket) => socket.once('connect', () => setImmediate(() => sending.destroy())));
  const { entries } = await server.journal.waitFor({}, 1, 5_000);
  expect(entries[0]).not.toHaveProperty('refusal');
  expect(entries).toMatchObject([{ isCut: true, answer: { status: 0 }, request: { body: { isCut: true } } }]);
});
