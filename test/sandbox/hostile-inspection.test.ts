import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxOperations } from '../../src/sandbox/operations/all.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** A hostile client of a sandbox with a key, and of its inspector while it is live. */

const KEY = 'correct-horse-battery-staple';
let pipit: TestSandbox;

beforeAll(async () => {
  pipit = await startTestSandbox({ flags: { sandboxKey: KEY } });
});
afterAll(() => pipit[Symbol.asyncDispose]());

const withKey = { 'x-pipit-sandbox-key': KEY };
const inspector = (path = '') =>
  fetch(`${pipit.url}/_pipit/sandbox/inspector${path}`, { headers: withKey }).then((answer) => answer.text());

describe('the key of a sandbox', () => {
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${pipit.url}/_pipit/sandbox${path}`, { method, headers });

  test('is required by every operation, every page and every other path of the sandbox', async () => {
    const operations = sandboxOperations.map(({ method = 'GET', path }) => [method, path] as const);
    const others = [
      '/openapi.json',
      '/inspector',
      '/inspector/events',
      '/inspector/live.js',
      '/inspector/1',
      '/nothing',
    ];
    const wrong = [
      {},
      { 'x-pipit-sandbox-key': '' },
      { 'x-pipit-sandbox-key': KEY.slice(1) },
      { authorization: `Bearer ${KEY}` },
    ];
    const asked = [...operations, ...others.map((other) => ['GET', other] as const)];
    const statuses = await Promise.all(
      asked.map(async ([method, path], n) => {
        const headers = wrong[n % wrong.length] as Record<string, string>;
        return [method, path, (await send(method, path.replace(/\{\w+\}/, '1'), headers)).status];
      }),
    );
    expect(statuses.filter(([, , status]) => status !== 401 && status !== 403)).toEqual([]);
    // Also in other spellings of the same paths.
    for (const path of [
      '/reset/',
      '//reset',
      '/%72eset',
      '/reset?x-pipit-sandbox-key=y',
      ';/reset',
      '/../sandbox/reset',
    ])
      expect([path, (await send('POST', path)).status]).not.toEqual([path, 200]);
    const sent = request(`${pipit.url}/x`, {
      method: 'POST',
      path: `${pipit.url}/_pipit/sandbox/reset`,
    }).end();
    const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  test('as a password of the inspector changes nothing', async () => {
    const authorization = `Basic ${Buffer.from(`any:${KEY}`).toString('base64')}`;
    expect((await send('GET', '/inspector', { authorization })).status).toBe(200);
    expect((await send('POST', '/reset', { authorization })).status).toBe(403);
    expect((await send('POST', '/inspector', { authorization })).status).toBe(403);
  });

  test('appears in no journal, archive, page or error, wherever a client sends it', async () => {
    const headers = { ...withKey, authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    await fetch(`${pipit.url}/2/tweets?key=${KEY}&sandbox_key=${KEY}`, { headers });
    await fetch(`${pipit.url}/2/tweets`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ sandbox_key: KEY, sandboxKey: KEY }),
    });
    await fetch(`${pipit.url}/2/users/me`, {
      headers: { authorization: `Basic ${Buffer.from(`any:${KEY}`).toString('base64')}` },
    });
    const refused = await (await send('POST', '/reset', { 'x-pipit-sandbox-key': `${KEY}x` })).text();
    const shown = [
      refused,
      await (await send('GET', '/journal', withKey)).text(),
      await (await send('GET', '/journal.har', withKey)).text(),
      await (await send('GET', '', withKey)).text(),
      await inspector(),
      await inspector('/1'),
    ];
    expect(shown.map((text) => text.includes(KEY))).toEqual(shown.map(() => false));
  });
});

describe('the inspector, while it is live', () => {
  const EVIL = '<script>alert(1)</script>"\'&<img src=x onerror=alert(1)>\u202e\u0000';

  test('shows hostile paths, headers and bodies as text', async () => {
    const path = `/2/tweets/${encodeURIComponent(EVIL)}?q=${encodeURIComponent(EVIL)}`;
    await fetch(pipit.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'text/html',
        'x-evil': '<script>alert(1)</script>',
        'user-agent': '"><script>x',
      },
      body: EVIL,
    });
    const socket = connect(Number(new URL(pipit.url).port), '127.0.0.1');
    socket.write(
      'GET /<script>alert(1)</script>"\'\xff HTTP/1.1\r\nHost: <b>evil</b>\r\nX-Evil: \xff\xfe<i>\r\nConnection: close\r\n\r\n',
    );
    socket.resume();
    await once(socket, 'close');
    const list = await inspector();
    const ids = [...list.matchAll(/href="[^"]*\/inspector\/(\d+)"/g)].map(([, entry]) => entry);
    expect(ids.length).toBeGreaterThan(1);
    for (const text of [
      list,
      ...(await Promise.all(ids.slice(0, 4).map((entry) => inspector(`/${entry}`)))),
    ]) {
      expect(text).not.toMatch(/<script>alert|<img src=x|<b>evil|<i>|\u202e|\u0000/);
    }
  });

  test('is refused nothing by odd filters, and shows none of them as markup', async () => {
    const queries = [
      'operation=%00',
      `path=${'*'.repeat(199)}`,
      `path=${'*a'.repeat(100)}`,
      'status=%F0',
      `user=${encodeURIComponent(EVIL)}`,
      'since=-1',
      `q=${'x'.repeat(9_000)}`,
      '__proto__=1&constructor=2',
    ];
    for (const query of queries) {
      const answer = await fetch(`${pipit.url}/_pipit/sandbox/inspector?${query}`, { headers: withKey });
      expect([query.slice(0, 20), answer.status < 500]).toEqual([query.slice(0, 20), true]);
      expect(await answer.text()).not.toContain('<script>alert');
    }
  });

  test('keeps its memory bounded while many requests come and its reader does not read', async () => {
    const socket = connect(Number(new URL(pipit.url).port), '127.0.0.1');
    socket.pause();
    socket.write(
      `GET /_pipit/sandbox/inspector/events HTTP/1.1\r\nHost: x\r\nX-Pipit-Sandbox-Key: ${KEY}\r\n\r\n`,
    );
    const { journal } = pipit.sandbox;
    const body = { bytes: 60_000, text: 'x'.repeat(60_000), isCut: false };
    const entry = {
      timeMs: 0,
      operation: 'createTweet',
      requestId: undefined,
      request: { method: 'POST', path: '/2/tweets', query: '', httpVersion: '1.1', headers: [], body },
      answer: { status: 200, headers: [], body },
      elapsedMs: 1,
      isOpen: false,
      isCut: false,
    };
    for (let n = 0; n < 5_000; n += 1) journal.add(entry);
    // 64 MB of them, as the documents say.
    expect(journal.count()).toBeLessThan((64 * 1024 ** 2) / 120_000 + 1);
    expect((await inspector()).length).toBeLessThan(2_000_000);
    socket.destroy();
  });

  test('disconnects the oldest of many readers', async () => {
    const readers = await Promise.all(
      Array.from({ length: 25 }, () =>
        fetch(`${pipit.url}/_pipit/sandbox/inspector/events`, { headers: withKey }),
      ),
    );
    const ends = readers.slice(0, 5).map(async ({ body }) => {
      for await (const chunk of body ?? []) void chunk;
      return 'ended';
    });
    expect(await Promise.all(ends)).toEqual(Array(5).fill('ended'));
    await Promise.all(readers.slice(5).map(async ({ body }) => body?.cancel()));
  });
});
