import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { worldCopy } from '../../src/web/inspector/copies/world.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** The inspector of a sandbox (docs/inspector.md#sandboxes). */

let pipit: TestSandbox;
beforeAll(async () => {
  pipit = await startTestSandbox();
});
afterEach(() => pipit.sandbox.journal.clear());
afterAll(() => pipit[Symbol.asyncDispose]());

const page = async (path = '', headers: Record<string, string> = {}) => {
  const answer = await fetch(`${pipit.url}/_pipit/sandbox/inspector${path}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const newest = () => pipit.sandbox.journal.find()[0];

test('lists requests, the newest first, with why one was refused', async () => {
  await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
  await pipit.send('GET', '/2/users/me', APP.bearer_token);
  const { status, text } = await page();
  expect(status).toBe(200);
  expect(text.indexOf('GET /2/users/me')).toBeLessThan(text.indexOf(`GET /2/tweets/${POSTS.hello}`));
  expect(text).toContain('The operation does not take an app’s own bearer token.');
  expect(text).toContain(`href="/_pipit/sandbox/inspector/${newest()?.id}"`);
});

test.each<[string, number]>([
  ['', 3],
  ['?operation=findMyUser', 1],
  ['?status=2xx', 2],
  ['?status=403', 1],
  ['?refused=yes', 1],
  [`?user=${USERS.alice}`, 1],
  ['?path=tweets', 2],
  ['?path=*%7B', 0],
  ['?operation=%00&status=%E2%80%AE&user=x&path=%ff', 0],
])('the filter %s leaves %i of three requests', async (query, count) => {
  await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
  await pipit.send('GET', `/2/tweets/${POSTS.hello}`, await pipit.tokenOf('alice'));
  await pipit.send('GET', '/2/users/me', APP.bearer_token);
  const { text } = await page(query);
  expect(text.match(/<a href="\/_pipit\/sandbox\/inspector\/[0-9]+">/g) ?? []).toHaveLength(count);
});

test('shows one request with headers, bodies, answer and copies', async () => {
  const token = await pipit.tokenOf('alice');
  await pipit.send('POST', '/2/tweets', token, { text: 'A heron' });
  const { text } = await page(`/${newest()?.id}`);
  for (const part of [
    'A heron',
    'content-type',
    'createTweet',
    'x-rate-limit-limit',
    'curl -i -X POST',
    'vitest',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain(token);
  expect(text).toContain('$BEARER_TOKEN');
});

test('shows the statements of a request, each with those that it ran itself, without their values', async () => {
  const token = await pipit.tokenOf('alice');
  const texts = Array.from({ length: 8 }, (_, index) => `A heron number ${index}`);
  const sent = texts.map((text) => pipit.send('POST', '/2/tweets', token, { text }));
  await Promise.all([...sent, pipit.send('GET', '/2/users/by/username/bob', APP.bearer_token)]);
  const writes = pipit.sandbox.journal.find({ operation: 'createTweet' });
  expect(writes).toHaveLength(8);
  for (const { statements = [] } of writes) {
    const inserts = statements.filter(({ text }) => /^INSERT INTO posts\b/i.test(text));
    expect(inserts).toHaveLength(1);
    expect(JSON.stringify(statements)).not.toContain('heron');
  }
  const [read] = pipit.sandbox.journal.find({ operation: 'findUserByUsername' });
  expect(JSON.stringify(read?.statements)).not.toMatch(/insert/i);
  expect((await page(`/${writes[0]?.id}`)).text).toMatch(/INSERT INTO posts/i);
});

test('an entry that is not kept is a 404', async () => {
  for (const id of ['999999', '0', 'x', '-1', '1e3', '%00']) expect((await page(`/${id}`)).status).toBe(404);
});

describe('texts of clients', () => {
  const HOSTILE = '<script>alert(1)</script>"\'&<b>\u202eevil\u0007\u2028';

  test('are shown as text, with the characters that act on others written as escapes', async () => {
    const token = await pipit.tokenOf('alice');
    const sent = request(`${pipit.url}/2/tweets?q=%3Cscript%3E<script>"'`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-script&': '<img src=x onerror=alert(1)>\u00ad',
        'user-agent': '"><script>alert(2)</script>',
      },
    });
    sent.end(JSON.stringify({ text: HOSTILE, '<script>': HOSTILE }));
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'close');
    const list = await page(`?path=${encodeURIComponent(HOSTILE)}&operation=${encodeURIComponent(HOSTILE)}`);
    for (const { text, status } of [await page(), list, await page(`/${newest()?.id}`)]) {
      expect(status).toBe(200);
      // Attributes such as the value of a field stay in their place.
      const main = text.slice(text.indexOf('<main')).replaceAll(/="[^"]*"/g, '');
      expect(main).not.toMatch(/<script|<img|<b>|javascript:/i);
      expect(main).not.toMatch(/[\u202e\u2028\u0007\u00ad]/);
    }
    expect((await page(`/${newest()?.id}`)).text).toContain(String.raw`\u202eevil`);
  });

  test('that are long are cut, and paths have a bound', async () => {
    await pipit.send('GET', `/2/${'x/'.repeat(3_000)}`, APP.bearer_token);
    const { text } = await page();
    expect(text.length).toBeLessThan(60_000);
  });
});

test('pages run only files of the server, and cannot be framed', async () => {
  const { headers, text } = await page();
  const policy = headers.get('content-security-policy');
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).toContain(`script-src 'self'`);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain(`frame-ancestors 'none'`);
  expect(text.match(/<script[^>]*>/g)).toEqual([
    expect.stringMatching(/^<script src="\/assets\/client-\w+\.js" type="module">$/),
    '<script src="/_pipit/sandbox/inspector/live.js" type="module">',
  ]);
  expect(text).not.toMatch(/\son[a-z]+="|\sstyle="/);
  const script = await page('/live.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('an event announces each request that matches the filter', async () => {
  const ending = new AbortController();
  const url = `${pipit.url}/_pipit/sandbox/inspector/events?operation=findMyUser`;
  const answer = await fetch(url, { signal: ending.signal });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n');
  await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
  await pipit.send('GET', '/2/users/me', 'unknown');
  expect((await reader?.read())?.value).toMatch(/^data: changed\n\n/);
  ending.abort();
});

test('with a key, a browser sends it as the password, and only to these pages', async () => {
  const key = 'correct-horse-battery';
  await using guarded = await startTestSandbox({ flags: { sandboxKey: key } });
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`me:${password}`).toString('base64')}`,
  });
  const statusOf = async (path: string, headers: Record<string, string>, method = 'GET') =>
    (await fetch(`${guarded.url}/_pipit/sandbox${path}`, { method, headers })).status;
  const refused = await fetch(`${guarded.url}/_pipit/sandbox/inspector`);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('Basic realm='),
  ]);
  expect(await statusOf('/inspector', basic('wrong'))).toBe(401);
  expect(await statusOf('/inspector', basic(key))).toBe(200);
  expect(await statusOf('/inspector/live.js', basic(key))).toBe(200);
  expect(await statusOf('/inspector', { 'x-pipit-sandbox-key': key })).toBe(200);
  expect(await statusOf('', basic(key))).toBe(403);
  expect(await statusOf('/inspector/../reset', basic(key), 'POST')).toBe(403);
  expect(await statusOf('/inspector', basic(key), 'POST')).toBe(403);
});

describe('a copied world', () => {
  test.each<[string, string]>([
    ['a post', `/2/tweets/${POSTS.quote}?expansions=author_id`],
    ['posts, of which one is missing', `/2/tweets?ids=${POSTS.hello},999`],
    ['a user', `/2/users/${USERS.bob}`],
    ['those who liked a post', `/2/tweets/${POSTS.hello}/liking_users`],
    ['a post that does not exist', '/2/tweets/999'],
  ])('of a request for %s gives the same status and the same ids', async (_, path) => {
    const first = await pipit.send('GET', path, APP.bearer_token);
    const entry = newest();
    if (!entry) throw new Error('not recorded');
    await using other = await startTestSandbox({ world: JSON.parse(worldCopy(entry)) });
    const second = await other.send('GET', path, 'copied-bearer-token');
    expect(second.status).toBe(first.status);
    if (!path.endsWith('liking_users')) expect(idsOf(second.body)).toEqual(idsOf(first.body));
  });

  test('of a write lets its user write again', async () => {
    const token = await pipit.tokenOf('alice');
    await pipit.send('POST', `/2/users/${USERS.alice}/likes`, token, { tweet_id: POSTS.hello });
    const entry = newest();
    if (!entry) throw new Error('not recorded');
    await using other = await startTestSandbox({ world: JSON.parse(worldCopy(entry)) });
    const liked = await other.send('POST', `/2/users/${USERS.alice}/likes`, 'copied-user-token', {
      tweet_id: POSTS.hello,
    });
    expect(liked.body).toEqual({ data: { liked: true } });
  });

  function idsOf({ data }: { readonly data?: unknown }): unknown {
    return [data ?? []].flat().map((each) => (each as { readonly id?: unknown }).id);
  }
});
