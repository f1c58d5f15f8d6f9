import { once } from 'node:events';
import { get } from 'node:http';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { APP, POSTS, USERS } from '../support/world.js';
import { LocalAgent } from '../wire/support/local-agent.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** Fault rules and the faults that requests ask for (docs/sandbox.md#faults). */

let pipit: TestSandbox;
beforeAll(async () => {
  pipit = await startTestSandbox();
});
afterEach(() => pipit.control('DELETE', '/faults'));
afterAll(() => pipit[Symbol.asyncDispose]());

const POST = `/2/tweets/${POSTS.hello}`;
const read = (path = POST) => pipit.send('GET', path, APP.bearer_token);
const add = async (rule: object) => {
  const { status, body } = await pipit.control('POST', '/faults', rule);
  expect(status).toBe(201);
  return body.data;
};
const statuses = async (count: number, path?: string): Promise<number[]> => {
  const found: number[] = [];
  while (found.length < count) found.push((await read(path)).status);
  return found;
};

test('a rule answers with the problem of its status, and the operation does not run', async () => {
  await add({ match: { operation: 'createTweet' }, effect: { status: 503 } });
  const token = await pipit.tokenOf('alice');
  const { status, body, headers } = await pipit.send('POST', '/2/tweets', token, { text: 'never written' });
  expect(status).toBe(503);
  expect(body).toEqual({
    title: 'Service Unavailable',
    detail: 'Service Unavailable',
    type: 'about:blank',
    status: 503,
  });
  expect(headers.get('retry-after')).toBe('1');
  const posts = await pipit.send('GET', `/2/users/${USERS.alice}/tweets`, token);
  expect(JSON.stringify(posts.body)).not.toContain('never written');
});

test.each([400, 401, 402, 403, 404, 408, 409, 413, 418, 429, 500, 502, 504])(
  'a fault of status %d has a problem as its body',
  async (status) => {
    await add({ effect: { status } });
    const answer = await read();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body).toMatchObject({ title: expect.any(String), type: expect.any(String) });
    expect(answer.headers.get('x-transaction-id')).toMatch(/^[0-9a-f]{16}$/);
  },
);

test('a rule may give any body and headers', async () => {
  const body = { errors: [{ code: 326, message: 'Is this a person?' }] };
  await add({ effect: { status: 403, body, headers: { 'X-Foo': 'bar', 'retry-after': '7' } } });
  const { status, body: sent, headers } = await read();
  expect(status).toBe(403);
  expect(sent).toEqual(body);
  expect(headers.get('x-foo')).toBe('bar');
  expect(headers.get('retry-after')).toBe('7');
});

test('long integers of a body keep their digits', async () => {
  const body = '{"effect":{"status":404,"body":{"id":12345678901234567890,"text":"1"}}}';
  const headers = { 'content-type': 'application/json' };
  await (await fetch(`${pipit.url}/_pipit/sandbox/faults`, { method: 'POST', headers, body })).text();
  const answer = await fetch(pipit.url + POST, { headers: { authorization: `Bearer ${APP.bearer_token}` } });
  expect(await answer.text()).toBe('{"id":12345678901234567890,"text":"1"}');
});

test('a 429 has the headers of the window that is used up', async () => {
  const before = await read();
  await add({ effect: { status: 429 } });
  const { status, headers } = await read();
  expect(status).toBe(429);
  expect(headers.get('x-rate-limit-limit')).toBe(before.headers.get('x-rate-limit-limit'));
  expect(headers.get('x-rate-limit-remaining')).toBe('0');
  const reset = Number(headers.get('x-rate-limit-reset'));
  expect(reset * 1000).toBeGreaterThan(Date.now());
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

test('rules apply to the requests that match', async () => {
  const alice = await pipit.tokenOf('alice');
  const bob = await pipit.tokenOf('bob');
  const me = async (token: string) => (await pipit.send('GET', '/2/users/me', token)).status;
  await add({ match: { user: 'alice', operation: 'findMyUser' }, effect: { status: 500 } });
  expect([await me(alice), await me(bob), (await read()).status]).toEqual([500, 200, 200]);
  await pipit.control('DELETE', '/faults');
  await add({ match: { app: APP.id, method: 'get', path: '/2/tweets/{id}' }, effect: { status: 500 } });
  expect([(await read()).status, (await read('/2/tweets?ids=1')).status]).toEqual([500, 200]);
  await pipit.control('DELETE', '/faults');
  await add({ match: { headers: { 'X-Attempt': '1', 'user-agent': '*' } }, effect: { status: 500 } });
  const attempt = (number: string) =>
    fetch(pipit.url + POST, {
      headers: { authorization: `Bearer ${APP.bearer_token}`, 'x-attempt': number },
    });
  expect([(await attempt('1')).status, (await attempt('2')).status]).toEqual([500, 200]);
});

test('a rule leaves the first requests alone and stops after its count', async () => {
  const { id } = await add({ after: 1, count: 2, effect: { status: 503 } });
  expect(await statuses(5)).toEqual([200, 503, 503, 200, 200]);
  expect((await pipit.control('GET', `/faults/${id}`)).body.data).toMatchObject({ matched: 5, applied: 2 });
});

test('rules apply in order: a later one sees the requests that the earlier ones left', async () => {
  await add({ count: 1, effect: { status: 500 } });
  await add({ count: 1, effect: { status: 502 } });
  expect(await statuses(3)).toEqual([500, 502, 200]);
});

test('the same seed draws the same faults', async () => {
  const run = async (seed: number): Promise<number[]> => {
    await pipit.control('POST', '/reset', { seed });
    await add({ probability: 0.5, effect: { status: 503 } });
    return statuses(30);
  };
  const first = await run(7);
  expect(new Set(first)).toEqual(new Set([200, 503]));
  expect(await run(7)).toEqual(first);
  expect(await run(8)).not.toEqual(first);
  await pipit.control('POST', '/reset');
});

test('a delayed answer comes later, and a drawn delay is within its bounds', async () => {
  await add({ effect: { delay: { uniform: { min: 60, max: 80 } } } });
  const startedMs = performance.now();
  expect((await read()).status).toBe(200);
  expect(performance.now() - startedMs).toBeGreaterThan(55);
  await pipit.control('DELETE', '/faults');
  await add({ effect: { delay: { lognormal: { median: 5, sigma: 0.1 } } } });
  expect((await read()).status).toBe(200);
});

test('a reset before the operation loses the write, one after it only the answer', async () => {
  const token = await pipit.tokenOf('alice');
  const post = (text: string) => pipit.send('POST', '/2/tweets', token, { text });
  await add({ match: { operation: 'createTweet' }, count: 1, effect: { reset: 'before' } });
  await expect(post('lost before')).rejects.toThrow();
  const delayed = { reset: 'before', delay: { fixed: 60 } };
  await add({ match: { operation: 'createTweet' }, count: 1, effect: delayed });
  const startedMs = performance.now();
  await expect(post('lost before, later')).rejects.toThrow();
  expect(performance.now() - startedMs).toBeGreaterThan(55);
  await add({ match: { operation: 'createTweet' }, count: 1, effect: { reset: 'after' } });
  await expect(post('lost after')).rejects.toThrow();
  const posts = JSON.stringify((await pipit.send('GET', `/2/users/${USERS.alice}/tweets`, token)).body);
  expect(posts).not.toContain('lost before');
  expect(posts).toContain('lost after');
  const { body } = await pipit.control('GET', '/journal?operation=createTweet&refused=true');
  expect(body.data).toMatchObject([
    {
      is_cut: true,
      answer: { status: 0 },
      refusal: { reason: 'fault', detail: expect.stringMatching(/^rule \d+$/) },
    },
    { is_cut: true },
    { is_cut: true },
  ]);
});

test('a cut body ends early', async () => {
  await add({ effect: { cut: { after_bytes: 10 } } });
  const answer = await fetch(pipit.url + POST, { headers: { authorization: `Bearer ${APP.bearer_token}` } });
  expect(answer.status).toBe(200);
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(10);
  const chunks: Uint8Array[] = [];
  const reading = async () => {
    for await (const chunk of answer.body ?? []) chunks.push(chunk);
  };
  await expect(reading()).rejects.toThrow();
  expect(Buffer.concat(chunks).toString()).toBe('{"data":{"');
});

test('a slow body arrives whole, in pieces', async () => {
  const whole = (await read()).body;
  await add({ effect: { drip: { bytes: 40, every_ms: 5 } } });
  const startedMs = performance.now();
  expect((await read()).body).toEqual(whole);
  expect(performance.now() - startedMs).toBeGreaterThan(10);
});

test('the connections of a stream fail as the rules say, in their order', async () => {
  const match = { operation: 'sampleStream' };
  await add({ match, count: 1, effect: { cut: { after_messages: 0 } } });
  await add({ match, count: 1, effect: { delay: { fixed: 30 }, cut: { after_messages: 0, clean: true } } });
  const connect = () =>
    fetch(`${pipit.url}/2/tweets/sample/stream`, {
      headers: { authorization: `Bearer ${APP.bearer_token}` },
    });
  // `fetch` takes a reset of a connection that the server was to close for the end of the body.
  const headers = { authorization: `Bearer ${APP.bearer_token}` };
  const sending = get(`${pipit.url}/2/tweets/sample/stream`, { headers }).on('error', () => undefined);
  const [first] = await once(sending, 'response');
  expect(first.statusCode).toBe(200);
  const [error] = await once(first.resume(), 'error');
  expect(error.code).toBe('ECONNRESET');
  const second = await connect();
  expect(await second.text()).toBe('');
  const third = await connect();
  expect(third.status).toBe(200);
  await third.body?.cancel();
});

test('a stream is cut after its nth message', async () => {
  await pipit.send('POST', '/2/tweets/search/stream/rules', APP.bearer_token, { add: [{ value: 'heron' }] });
  await add({ match: { operation: 'searchStream' }, effect: { cut: { after_messages: 2, clean: true } } });
  const stream = await fetch(`${pipit.url}/2/tweets/search/stream`, {
    headers: { authorization: `Bearer ${APP.bearer_token}` },
  });
  const reading = stream.text();
  const token = await pipit.tokenOf('alice');
  for (const n of [1, 2, 3]) await pipit.send('POST', '/2/tweets', token, { text: `heron ${n}` });
  const messages = (await reading).split('\r\n').filter((line) => line !== '');
  expect(messages.map((line) => JSON.parse(line).data.text)).toEqual(['heron 1', 'heron 2']);
});

test('routes of OAuth take faults, too', async () => {
  await add({ match: { operation: 'POST /2/oauth2/token' }, effect: { status: 503 } });
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const answer = await fetch(`${pipit.url}/2/oauth2/token`, { method: 'POST', body });
  expect(answer.status).toBe(503);
});

test('a segment of a media upload is lost or delayed, and the upload goes on', async () => {
  const token = await pipit.tokenOf('alice');
  const media = { media_type: 'image/png', total_bytes: 4, media_category: 'tweet_image' };
  const begun = await pipit.send('POST', '/2/media/upload/initialize', token, media);
  expect(begun.status).toBe(200);
  const path = `/2/media/upload/${begun.body.data.id}/append`;
  const append = () => {
    const form = new FormData();
    form.set('segment_index', '0');
    form.set('media', new Blob([Buffer.from('abcd')]));
    return fetch(pipit.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
  };
  await add({ match: { operation: 'appendMediaUpload' }, count: 1, effect: { status: 502 } });
  expect((await append()).status).toBe(502);
  expect((await append()).status).toBe(200);
});

test('a restore keeps the rules', async () => {
  await pipit.control('POST', '/snapshots', { name: 'before' });
  const { id } = await add({ effect: { status: 503 } });
  await pipit.control('POST', '/snapshots/before/restore');
  expect((await pipit.control('GET', `/faults/${id}`)).status).toBe(200);
  expect((await read()).status).toBe(503);
});

test('a request asks for its own fault', async () => {
  const ask = (prefer: string) =>
    fetch(pipit.url + POST, { headers: { authorization: `Bearer ${APP.bearer_token}`, prefer } });
  const refused = await ask('code=503, wait=0');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('preference-applied')).toBe('code=503, wait=0');
  const twice = await ask('code=503, code=500');
  expect([twice.status, twice.headers.get('preference-applied')]).toEqual([503, 'code=503']);
  for (const ignored of [
    'code=200',
    'code=99999',
    'respond-async',
    'wait=-1',
    'code',
    '',
    'code=5o3',
    'other="a, code=503"',
    ',;=,',
  ]) {
    const answer = await ask(ignored);
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
  }
});

test('a published client sees the 429 with its limit', async () => {
  await add({ match: { operation: 'findTweetById' }, effect: { status: 429 } });
  const httpAgent = new LocalAgent(Number(new URL(pipit.url).port));
  const client = new TwitterApi(APP.bearer_token, { httpAgent });
  const error = await client.v2.singleTweet(POSTS.hello).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiResponseError);
  const refused = error as ApiResponseError;
  expect(refused.rateLimitError).toBe(true);
  expect(refused.rateLimit).toMatchObject({
    remaining: 0,
    limit: expect.any(Number),
    reset: expect.any(Number),
  });
});

test('rules are listed, shown, removed and forgotten at a reset', async () => {
  const rule = {
    match: { operation: 'findTweetById', user: USERS.alice, headers: { 'x-a': '*' } },
    probability: 0.25,
    after: 3,
    count: 4,
    effect: {
      delay: { fixed: 10 },
      cut: { after_bytes: 5, clean: false },
      drip: { bytes: 2, every_ms: 3 },
    },
  };
  const { id } = await add(rule);
  const { body } = await pipit.control('GET', '/faults');
  expect(body.data).toEqual([{ ...rule, id, matched: 0, applied: 0 }]);
  expect((await pipit.control('DELETE', `/faults/${id}`)).status).toBe(200);
  expect((await pipit.control('DELETE', `/faults/${id}`)).status).toBe(404);
  expect((await pipit.control('GET', `/faults/${id}`)).status).toBe(404);
  await add({ effect: { status: 500 } });
  await pipit.control('POST', '/reset');
  expect((await pipit.control('GET', '/faults')).body.data).toEqual([]);
});

test('a delayed request is answered when the sandbox is reset, and when it ends', async () => {
  const own = await startTestSandbox();
  const effect = { status: 503, delay: { fixed: 600_000 } };
  for (const end of [() => own.control('POST', '/reset', {}), () => own[Symbol.asyncDispose]()]) {
    const rule = (await own.control('POST', '/faults', { effect })).body.data;
    const answer = own.send('GET', POST, APP.bearer_token);
    const applied = async () => (await own.control('GET', `/faults/${rule.id}`)).body.data.applied;
    await expect.poll(applied).toBe(1);
    await end();
    expect((await answer).status).toBe(503);
  }
});
