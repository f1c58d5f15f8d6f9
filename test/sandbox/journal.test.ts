import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { APP, POSTS, USERS } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** The operations of the journal (docs/sandbox.md#journal). */

let pipit: TestSandbox;
beforeAll(async () => {
  pipit = await startTestSandbox();
});
afterEach(() => pipit.control('DELETE', '/journal'));
afterAll(() => pipit[Symbol.asyncDispose]());

const read = (path: string, token: string = APP.bearer_token) => pipit.send('GET', path, token);

test('requests are listed with their answers, newest first, and those to the sandbox are not', async () => {
  await read(`/2/tweets/${POSTS.hello}`);
  await read(`/2/users/${USERS.alice}?user.fields=name`);
  const { status, body } = await pipit.control('GET', '/journal');
  expect(status).toBe(200);
  expect(body.meta).toEqual({ matched: 2 });
  expect(body.data).toMatchObject([
    {
      operation: 'findUserById',
      request: {
        method: 'GET',
        path: `/2/users/${USERS.alice}`,
        query: 'user.fields=name',
        http_version: '1.1',
      },
      answer: { status: 200, body: { is_cut: false } },
      app: { id: APP.id },
      is_open: false,
    },
    { operation: 'findTweetById' },
  ]);
  const [{ id, answer }] = body.data;
  expect(JSON.parse(answer.body.text)).toMatchObject({ data: { username: 'alice' } });
  expect((await pipit.control('GET', `/journal/${id}`)).body.data).toEqual(body.data[0]);
});

test.each([
  ['operation=findTweetById', 1],
  ['method=get', 3],
  ['path=/2/users/{id}', 2],
  ['path=/2/*', 3],
  ['status=4xx', 1],
  ['status=200', 2],
  [`app=${APP.id}`, 3],
  ['app=other', 0],
  ['user=alice', 0],
  ['refused=true', 1],
  ['refused=false', 2],
  ['operation=findTweetById&status=404', 0],
])('the filter %s selects %d of three requests', async (filter, expected) => {
  await read(`/2/tweets/${POSTS.hello}`);
  await read(`/2/users/${USERS.alice}`);
  await read('/2/users/me');
  expect((await pipit.control('GET', `/journal/count?${filter}`)).body).toEqual({
    data: { count: expected },
  });
});

test('requests of a user are selected by username or id, and later ones by an id', async () => {
  const token = await pipit.tokenOf('alice');
  await read('/2/users/me', token);
  await read('/2/users/me', token);
  const { data } = (await pipit.control('GET', '/journal?user=alice')).body;
  expect(data).toMatchObject([{ user_id: USERS.alice }, { user_id: USERS.alice }]);
  const later = await pipit.control('GET', `/journal/count?user=${USERS.alice}&since=${data[1].id}`);
  expect(later.body.data).toEqual({ count: 1 });
});

test('a wait ends with the nth request', async () => {
  await read(`/2/tweets/${POSTS.hello}`);
  const waiting = pipit.control('GET', '/journal/wait?operation=findTweetById&n=2&timeout=10000');
  await read(`/2/users/${USERS.alice}`);
  await read(`/2/tweets/${POSTS.reply}`);
  const { status, body } = await waiting;
  expect(status).toBe(200);
  expect(body.meta).toEqual({ matched: 2, complete: true });
  expect(body.data).toMatchObject([
    { request: { path: `/2/tweets/${POSTS.hello}` } },
    { request: { path: `/2/tweets/${POSTS.reply}` } },
  ]);
});

test('a wait that times out answers with what matched, as incomplete', async () => {
  await read(`/2/tweets/${POSTS.hello}`);
  const { status, body } = await pipit.control('GET', '/journal/wait?n=2&timeout=0');
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: [{}], meta: { matched: 1, complete: false } });
});

test('a refused request says why, and what is nearest to it', async () => {
  await read('/2/tweet/1');
  const { body } = await pipit.control('GET', '/journal?refused=true');
  expect(body.data[0].refusal).toEqual({
    reason: 'route-not-found',
    nearest: [{ kind: 'operation', sent: 'GET /2/tweet/1', accepted: ['GET /2/tweets/{id}'] }],
  });
});

test('the archive has the parts of HAR 1.2', async () => {
  await read(`/2/tweets/${POSTS.hello}?tweet.fields=text`);
  await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text: 'A wagtail' });
  const { body } = await pipit.control('GET', '/journal.har');
  expect(body.log).toMatchObject({ version: '1.2', creator: { name: 'pipit', version: expect.any(String) } });
  expect(body.log.entries).toMatchObject([
    {
      startedDateTime: expect.stringMatching(/Z$/),
      time: expect.any(Number),
      request: {
        method: 'GET',
        url: `${pipit.url}/2/tweets/${POSTS.hello}?tweet.fields=text`,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        queryString: [{ name: 'tweet.fields', value: 'text' }],
        headersSize: -1,
        bodySize: 0,
      },
      response: { status: 200, statusText: 'OK', content: { mimeType: 'application/json; charset=utf-8' } },
      cache: {},
      timings: { send: 0, wait: expect.any(Number), receive: 0 },
    },
    {
      request: { postData: { mimeType: 'application/json', text: '{"text":"A wagtail"}' } },
      response: { status: 201 },
    },
  ]);
});

test('secrets are not shown', async () => {
  const token = await pipit.tokenOf('alice');
  await read('/2/users/me', token);
  await read(`/2/tweets?access_token=${token}`, token);
  await read(`/2/users/${token}`, token);
  await read(`/i/sign-in?next=${encodeURIComponent(`/i/oauth2/authorize?state=${token}`)}`);
  await pipit.send('POST', '/2/oauth2/token', undefined, { client_assertion: token, code: token });
  const url = `https://me:${token.slice(0, 20)}@hooks.example/${token.slice(0, 30)}?key=${token}`;
  await pipit.send('POST', '/2/webhooks', APP.bearer_token, { url });
  const answers = await Promise.all(['/journal', '/journal.har'].map((path) => pipit.control('GET', path)));
  for (const { body } of answers) {
    expect(JSON.stringify(body)).toContain('HIDDEN');
    expect(JSON.stringify(body)).not.toContain(token.slice(0, 20));
  }
});

test('a mistyped path is shown', async () => {
  const path = '/2/tweets&ids=1500000000000000001,1500000000000000002&tweet.fields=created_at';
  await read(path, APP.bearer_token);
  const { body } = await pipit.control('GET', '/journal?limit=1');
  expect(body.data[0].request.path).toBe(path);
});

test('a reset forgets the requests, and so does deleting them', async () => {
  await read(`/2/tweets/${POSTS.hello}`);
  expect((await pipit.control('DELETE', '/journal')).body).toEqual({ data: { deleted: 1 } });
  await read(`/2/tweets/${POSTS.hello}`);
  await pipit.control('POST', '/reset');
  expect((await pipit.control('GET', '/journal/count')).body.data.count).toBe(0);
});

test.each([
  ['/journal?status=abc', 'status'],
  ['/journal?status=4x', 'status'],
  ['/journal?refused=maybe', 'refused'],
  ['/journal?limit=0', 'limit'],
  ['/journal?since=-1', 'since'],
  ['/journal?unknown=1', 'unknown'],
  ['/journal?user=nobody', 'user'],
  ['/journal/count?method=G%20T', 'method'],
  ['/journal/wait?timeout=60001', 'timeout'],
  ['/journal/wait?n=0', 'n'],
  ['/journal/x', 'id'],
])('%s is refused because of %s', async (path, parameter) => {
  const { status, body } = await pipit.control('GET', path);
  expect(status).toBe(400);
  expect(Object.keys(body.errors[0].parameters)).toEqual([parameter]);
});

test('an unknown id is a 404', async () => {
  expect((await pipit.control('GET', '/journal/999999')).status).toBe(404);
});
