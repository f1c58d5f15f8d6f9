import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client as Xdk } from '@xdevplatform/xdk';
import { ETwitterStreamEvent, TwitterApi } from 'twitter-api-v2';
import { Client as Sdk } from 'twitter-api-sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LocalAgent } from './support/local-agent.js';
import { ALICE_OAUTH2, APP, startWireServer, type WireServer } from './support/wire-world.js';

/** Published clients receive posts of the filtered stream with emoji in order (docs/api/streams.md#messages). */

const POSTS = 150;
const RULES = '2/tweets/search/stream/rules';

let server: WireServer;
let round = 0;

beforeAll(async () => {
  server = await startWireServer(['--rate-limits', 'off', '--stream-connections', '2']);
});
beforeEach(async () => {
  round += 1;
  await send(`${RULES}?delete_all=true`, APP.bearerToken);
  await send(RULES, APP.bearerToken, { add: [{ value: `heron${round}` }] });
});
afterAll(() => server.close());

async function send(path: string, token: string, body?: object): Promise<void> {
  const answer = await fetch(`${server.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

const texts = () =>
  Array.from({ length: POSTS }, (_, n) => `heron${round} 👍🏽 東京 ${n} `.repeat(1 + (n % 3)).trim());

async function postAll(): Promise<void> {
  for (const text of texts()) await send('2/tweets', ALICE_OAUTH2, { text });
}

const scripts: ChildProcess[] = [];
afterEach(() => {
  for (const script of scripts.splice(0)) script.kill();
});

test('twitter-api-v2', async () => {
  const client = new TwitterApi(APP.bearerToken, { httpAgent: new LocalAgent(server.port) });
  const stream = await client.v2.searchStream({ autoConnect: true });
  const seen: string[] = [];
  const faults: unknown[] = [];
  stream.on(ETwitterStreamEvent.DataError, (fault) => faults.push(fault));
  const all = new Promise<void>((resolve) => {
    stream.on(ETwitterStreamEvent.Data, ({ data }) => {
      if (seen.push(data.text) === POSTS) resolve();
    });
  });
  await postAll();
  await all;
  stream.close();
  expect(seen).toEqual(texts());
  expect(faults).toEqual([]);
});

test('twitter-api-sdk', async () => {
  const client = new Sdk(APP.bearerToken, { base_url: server.url });
  const seen: string[] = [];
  const stream = client.tweets.searchStream({ backfill_minutes: 1, 'tweet.fields': ['lang'] });
  const reading = (async () => {
    for await (const { data } of stream) if (seen.push(data?.text ?? '') === POSTS) return;
  })();
  await postAll();
  await reading;
  expect(seen).toEqual(texts());
});

const python = ['/usr/bin/python3', 'python3'].find(
  (candidate) => spawnSync(candidate, ['-c', 'import tweepy']).status === 0,
);

test.skipIf(python === undefined)('tweepy', async () => {
  const script = spawn(String(python), [join(import.meta.dirname, 'tweepy_stream.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  scripts.push(script);
  script.stdin.end(JSON.stringify({ port: server.port, bearerToken: APP.bearerToken, posts: POSTS }));
  const lines = createInterface(script.stdout);
  const [first] = (await once(lines, 'line')) as [string];
  expect(first).toBe('connected');
  const report = once(lines, 'line');
  await postAll();
  const [line] = (await report) as [string];
  expect(JSON.parse(line)).toEqual({ texts: texts(), tags: [''], errors: [] });
});

// The last one: its streams stay open after `close`.
test('xdk', async () => {
  const client = new Xdk({ baseUrl: server.url, bearerToken: APP.bearerToken });
  const stream = await client.stream.posts();
  const seen: string[] = [];
  const all = new Promise<void>((resolve) => {
    stream.on('data', ({ data }: { data?: { text: string } }) => {
      // The client passes on a message of its own first.
      if (data !== undefined && seen.push(data.text) === POSTS) resolve();
    });
  });
  await postAll();
  await all;
  stream.close();
  expect(seen).toEqual(texts());
});
