import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { startRecording, type RecordingReport } from '../../src/recording/recording.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { standardWorld } from '../support/world.js';

/** `pipit record` with a second server in the place of the original (docs/recording.md). */

const ids = { root: '1530000000000000001', reply: '1530000000000000002', quote: '1530000000000000003' };
const repost = '1530000000000000004';
const picture = '1530000000000000005';

const world = {
  users: [
    { id: '11', username: 'alice', name: 'Alice', description: 'Reads #birds', pinned_post: ids.root },
    { id: '12', username: 'bob', name: 'Bob', location: 'By the sea' },
    { id: '13', username: 'carol', name: 'Carol' },
  ],
  follows: [{ from: 'bob', to: 'alice' }],
  media: [
    {
      media_key: '3_77',
      type: 'photo',
      url: 'https://pictures.example/1.jpg',
      width: 4,
      height: 3,
      owner: 'alice',
    },
  ],
  posts: [
    { id: ids.root, author: 'alice', text: 'Salt & pepper < 1 with @carol #birds' },
    { id: ids.reply, author: 'bob', text: 'Yes', in_reply_to: ids.root },
    { id: ids.quote, author: 'bob', text: 'Look', quote_of: ids.root },
    { id: repost, author: 'carol', repost_of: ids.root },
    { id: picture, author: 'alice', text: 'A picture', media: ['3_77'] },
  ],
  likes: [{ user: 'carol', post: ids.root }],
  lists: [{ id: '501', owner: 'alice', name: 'Birds', members: ['bob', 'carol'] }],
};

const { apps } = standardWorld();

const USERS = 'user.fields=description,location,created_at,pinned_tweet_id';
const POSTS =
  'tweet.fields=author_id,created_at,entities,referenced_tweets,conversation_id,source,lang,attachments' +
  `&${USERS}&media.fields=url,width,height` +
  '&expansions=author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys,entities.mentions.username';

const READS = [
  `/2/tweets?ids=${Object.values(ids).join()},${repost},${picture}&${POSTS}`,
  `/2/users/11/followers?${USERS}`,
  `/2/tweets/${ids.root}/liking_users`,
  '/2/users/11/owned_lists?list.fields=owner_id,private',
  '/2/lists/501/members',
];

/** Starts a recording into a new folder. */
async function record(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-record-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = { folder, target: new URL(target), port: 0, version: '1', clock: systemClock };
  return { folder, ...(await startRecording(options)) };
}

/** Starts a server that answers as the listener says. */
async function startTarget(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a recording of another server', () => {
  let original: TestApp;
  let url: string;
  beforeAll(async () => {
    original = await startTestApp({ world: { ...world, apps } });
    url = await original.listen();
  });
  afterAll(() => original.close());

  const bearer = () => ({ authorization: `Bearer ${original.bearer}` });

  test('passes answers on unchanged, also refusals', async () => {
    const { url: proxy, finish } = await record(url);
    for (const path of [...READS, '/2/tweets/abc', '/2/nothing']) {
      const [led, direct] = await Promise.all(
        [proxy, url].map((base) => fetch(base + path, { headers: bearer() })),
      );
      expect([path, led?.status, await led?.text()]).toEqual([path, direct?.status, await direct?.text()]);
      expect(led?.headers.get('content-type')).toBe(direct?.headers.get('content-type'));
    }
    await finish();
  });

  test('writes a world file that loads and answers as the original did', async () => {
    const { url: proxy, finish, folder } = await record(url);
    for (const path of READS) expect((await fetch(proxy + path, { headers: bearer() })).status).toBe(200);
    const report = await finish();
    expect(report).toMatchObject({
      completedUsers: 0,
      leftOutPosts: 0,
      leftOutReferences: 0,
      leftOutEntries: 0,
      world: { users: 3, posts: 5, follows: 1, likes: 1, media: 1, lists: 1 },
    } satisfies Partial<RecordingReport>);
    const recorded: unknown = JSON.parse(await readFile(join(folder, 'world.json'), 'utf8'));
    await using copy = await startTestApp({ world: null }).then((app) => ({
      app,
      [Symbol.asyncDispose]: app.close,
    }));
    await copy.app.load({ ...(recorded as object), apps });
    for (const path of READS) {
      const { body } = await copy.app.get(path, copy.app.bearer);
      expect(withoutCounts(body), path).toEqual(
        withoutCounts(await (await fetch(url + path, { headers: bearer() })).json()),
      );
    }
  });

  test('writes no token, with access for the owner only', async () => {
    const { url: proxy, finish, folder } = await record(url);
    const token = await original.as('alice');
    await fetch(`${proxy}/2/users/me`, { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${proxy}/2/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'secret-refresh' }),
    });
    await finish();
    for (const name of ['world.json', 'journal.har']) {
      const content = await readFile(join(folder, name), 'utf8');
      expect(content).not.toContain(token);
      expect(content).not.toContain('secret-refresh');
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
    const har = JSON.parse(await readFile(join(folder, 'journal.har'), 'utf8'));
    expect(har.log.entries.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
      `${url}/2/users/me`,
      `${url}/2/oauth2/token`,
    ]);
  });
});

/** Links of posts name their server, and pages their tokens. */
function withoutCounts(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'source' ? 'app' : value)));
}

describe('answers of any server', () => {
  const user = { id: '1', username: 'alice', name: 'Alice' };
  const post = { id: '1530000000000000001', text: 'A pond', author_id: '1' };

  const recordAnswer = async (listener: RequestListener, path = '/2/tweets') => {
    const recording = await record(await startTarget(listener));
    const answer = await fetch(recording.url + path);
    const text = await answer.text();
    return { text, report: await recording.finish(), folder: recording.folder };
  };
  const json =
    (body: unknown): RequestListener =>
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  test('are read when they are compressed', async () => {
    const body = JSON.stringify({ data: post, includes: { users: [user] } });
    const { text, report } = await recordAnswer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(body));
    });
    expect([text, report.world]).toEqual([body, { users: 1, posts: 1 }]);
  });

  test('complete users whose profile was not seen, and leave out what cannot be completed', async () => {
    const { report } = await recordAnswer(
      json({
        data: [
          { ...post, author_id: '7', referenced_tweets: [{ type: 'replied_to', id: '5' }] },
          { id: '1530000000000000002', text: 'No author' },
          { ...post, id: '1530000000000000003', referenced_tweets: [{ type: 'retweeted', id: '6' }] },
          { ...post, id: '1530000000000000004', text: 'x'.repeat(26_000) },
        ],
      }),
    );
    expect(report).toMatchObject({
      completedUsers: 2,
      leftOutPosts: 2,
      leftOutReferences: 1,
      leftOutEntries: 1,
      world: { users: 2, posts: 1 },
    });
  });

  test.each([
    ['no JSON', '{"data":'],
    ['null', 'null'],
    ['a list', '[1,2]'],
    [
      'objects of wrong types',
      '{"data":[{"id":7,"text":8},{"id":"x","text":""},null],"includes":{"users":7}}',
    ],
    ['bad entries', '{"data":[{"id":"1","username":"not a name!","name":""}]}'],
  ])('that are %s leave a world file that loads', async (_, body) => {
    const { text, report } = await recordAnswer((__, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    expect([text, report.world]).toEqual([body, {}]);
  });

  test('of a stream pass at once, and their lines are read', async () => {
    let send: (line: string) => void = () => undefined;
    const target = await startTarget((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      send = (line) => void response.write(line);
    });
    const recording = await record(target);
    const answer = await fetch(`${recording.url}/2/tweets/search/stream`);
    const reader = answer.body?.getReader() ?? expect.fail('no body');
    const line = `${JSON.stringify({ data: post, includes: { users: [user] } })}\r\n`;
    send(line);
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(line);
    await reader.cancel();
    expect((await recording.finish()).world).toEqual({ users: 1, posts: 1 });
  });

  test('are 502 when the target cannot be reached', async () => {
    const recording = await record('http://127.0.0.1:1');
    const answer = await fetch(`${recording.url}/2/tweets`);
    expect([answer.status, (await answer.json()) as unknown]).toEqual([
      502,
      expect.objectContaining({ status: 502 }),
    ]);
    expect((await recording.finish()).world).toEqual({});
  });

  test.each([
    ['a status below 100', '/', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n', 502],
    ['control characters', '/', 'HTTP/1.1 200 OK\r\nX: \u0001\r\nContent-Length: 0\r\n\r\n', 502],
    ['another protocol', '/', 'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 502],
    ['a path without a name', '//', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', 200],
  ])('with %s do not end the recording', async (_, path, bytes, status) => {
    const target = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    onTestFinished(() => void target.close());
    const recording = await record(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
    expect((await fetch(recording.url + path)).status).toBe(status);
    expect((await recording.finish()).requests).toBe(1);
  });

  test('come from the host that a led program names', async () => {
    const hosts: unknown[] = [];
    const target = await startTarget((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const recording = await record(target);
    const { request } = await import('node:http');
    for (const host of ['api.twitter.com', 'evil.example', '127.0.0.1']) {
      const sent = request(`${recording.url}/2/tweets`, { headers: { host } }).end();
      const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
      answer.resume();
      await once(answer, 'end');
    }
    await recording.finish();
    expect(hosts).toEqual(['api.twitter.com', new URL(target).host, new URL(target).host]);
  });
});
