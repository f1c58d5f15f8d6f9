import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Client as Xdk } from '@xdevplatform/xdk';
import { TwitterApi } from 'twitter-api-v2';
import { Client as Sdk } from 'twitter-api-sdk';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LocalAgent } from './support/local-agent.js';
import { python, twarc2 } from './support/stream-clients.js';
import type { WireServer } from './support/wire-server.js';
import { APP, startWireServer } from './support/wire-world.js';

/** Published clients change the rules of the filtered stream (docs/api/streams.md#rules). */

let server: WireServer;
let client: TwitterApi;

beforeAll(async () => {
  server = await startWireServer();
  client = new TwitterApi(APP.bearerToken, { httpAgent: new LocalAgent(server.port) });
});
afterEach(async () => {
  await client.v2.post('tweets/search/stream/rules', undefined, { query: { delete_all: 'true' } });
});
afterAll(() => server.close());

test('twitter-api-v2 adds, lists and deletes rules', async () => {
  const added = await client.v2.updateStreamRules({
    add: [{ value: 'heron', tag: 'birds' }, { value: 'pond' }],
  });
  expect(added.data.map(({ value, tag }) => [value, tag])).toEqual([
    ['heron', 'birds'],
    ['pond', undefined],
  ]);
  expect(added.meta.summary).toEqual({ created: 2, not_created: 0, valid: 2, invalid: 0 });
  const dry = await client.v2.updateStreamRules({ add: [{ value: 'duck' }] }, { dry_run: true });
  expect(dry.data).toHaveLength(1);
  const listed = await client.v2.streamRules({ ids: added.data.map(({ id }) => id).join() });
  expect(listed.data).toHaveLength(2);
  const deleted = await client.v2.updateStreamRules({ delete: { ids: added.data.map(({ id }) => id) } });
  expect(deleted.meta.summary).toEqual({ deleted: 2, not_deleted: 0 });
  expect((await client.v2.streamRules()).data).toBeUndefined();
});

test('twitter-api-sdk adds, lists and deletes rules', async () => {
  const app = new Sdk(APP.bearerToken, { base_url: server.url });
  await app.tweets.addOrDeleteRules({ add: [{ value: 'heron' }] });
  const { data = [] } = await app.tweets.getRules();
  expect(data).toEqual([{ value: 'heron', id: expect.any(String) }]);
  const again = await app.tweets.addOrDeleteRules({ add: [{ value: 'heron' }] });
  expect(again.errors).toMatchObject([{ title: 'DuplicateRule', id: data[0]?.id }]);
  const { meta } = await app.tweets.addOrDeleteRules({ delete: { values: ['heron'] } });
  expect(meta.summary).toEqual({ deleted: 1, not_deleted: 0 });
});

test('xdk adds, counts and deletes rules', async () => {
  const { stream } = new Xdk({ baseUrl: server.url, bearerToken: APP.bearerToken });
  await stream.updateRules({ add: [{ value: 'heron' }, { value: 'pond' }] });
  expect((await stream.getRules()).data).toHaveLength(2);
  expect((await stream.getRuleCounts()).data).toMatchObject({ projectRulesCount: '2' });
  await stream.updateRules({}, { deleteAll: true });
  expect((await stream.getRules()).data).toBeUndefined();
});

test.skipIf(python.tweepy === undefined)('tweepy adds, lists and deletes rules', async () => {
  const script = spawn(String(python.tweepy), [join(import.meta.dirname, 'tweepy_rules.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  script.stdin.end(JSON.stringify({ port: server.port, bearerToken: APP.bearerToken }));
  expect(JSON.parse(await text(script.stdout))).toEqual({
    added: [
      ['heron', 'birds'],
      ['pond', null],
    ],
    summary: { created: 2, not_created: 0, valid: 2, invalid: 0 },
    duplicate: 'DuplicateRule',
    listed: ['heron', 'pond'],
    dry: { deleted: 1, not_deleted: 0 },
    deleted: { deleted: 2, not_deleted: 0 },
    left: null,
  });
});

test.skipIf(python.twarc === undefined)('twarc2 stream-rules adds, lists and deletes rules', async () => {
  const target = { port: server.port, bearerToken: APP.bearerToken };
  /** Runs a command and returns the lines that it prints. */
  const run = async (...command: string[]): Promise<string[]> => {
    const args = twarc2(target, 'stream-rules', ...command);
    const { stdout, stderr } = await promisify(execFile)(String(python.twarc), args);
    return (stdout + stderr).split('\n').filter((line) => line !== '');
  };
  expect(await run('add', 'heron', '--tag', 'birds')).toEqual([expect.stringContaining('Added rule for')]);
  await run('add', 'pond');
  expect(await run('add', 'pond')).toEqual([expect.stringContaining('DuplicateRule')]);
  expect(await run('list')).toEqual([
    expect.stringContaining('heron (tag: birds)'),
    expect.stringContaining('pond'),
  ]);
  expect(await run('delete', 'heron')).toEqual([expect.stringContaining('Deleted stream rule for heron')]);
  expect(await run('delete-all')).toEqual([expect.stringContaining('Deleted 1 rules')]);
  expect(await run('list')).toEqual([expect.stringContaining('No rules yet')]);
});
