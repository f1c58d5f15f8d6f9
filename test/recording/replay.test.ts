import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { streamSource } from '../../src/archive/source.js';
import { planReplay } from '../../src/recording/plan-replay.js';
import { readArchives } from '../../src/recording/read-archive.js';
import { replay } from '../../src/recording/replay.js';
import { runCli, serveHere, temporaryFolder } from '../support/cli.js';
import { readStream } from '../streams/support/read-stream.js';

/** `pipit replay` (docs/recording.md#replaying). */

const id = (n: number): string => String(1_530_000_000_000_000_000n + BigInt(n));

interface Line {
  readonly data?: unknown;
  readonly includes?: unknown;
}

const post = (n: number, text: string, more: object = {}) => ({
  id: id(n),
  author_id: '990011',
  text,
  created_at: `2022-06-01T10:00:${String(n % 60).padStart(2, '0')}.000Z`,
  ...more,
});
const refersTo = (type: string, n: number) => ({ referenced_tweets: [{ type, id: id(n) }] });
const ALICE = { id: '990011', username: 'alice', name: 'Alice' };
const BOB = { id: '990012', username: 'bob', name: 'Bob' };

const jsonl = (...lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const archiveOf = (text: string, limit = 100) => readArchives([streamSource('lines', streamOf(text))], limit);

async function* streamOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

describe('the plan of a replay', () => {
  const planOf = async (speed: number, ...lines: readonly Line[]) =>
    planReplay(await archiveOf(jsonl(...lines)), speed).map(({ id: of, afterMs }) => [of, afterMs]);

  test('has the posts in the order of their times, with gaps divided by the speed', async () => {
    const lines = [{ data: [post(30, 'c'), post(20, 'b')] }, { data: [post(0, 'a')] }];
    expect(await planOf(10, ...lines)).toEqual([
      [id(0), 0],
      [id(20), 2_000],
      [id(30), 3_000],
    ]);
  });

  test('has posts that are only referred to directly before the first that refers to them', async () => {
    const old = { created_at: '2012-01-01T00:00:00.000Z' };
    const included = [post(2, 'parent', { ...old, ...refersTo('quoted', 1) }), post(1, 'quoted', old)];
    const main = [
      post(10, 'first'),
      post(40, 'reply', refersTo('replied_to', 2)),
      post(50, 'q', refersTo('quoted', 1)),
    ];
    expect(await planOf(1, { data: main, includes: { tweets: included } })).toEqual([
      [id(10), 0],
      [id(1), 30_000],
      [id(2), 30_000],
      [id(40), 30_000],
      [id(50), 40_000],
    ]);
  });

  test('ends at the limit, and counts lines without posts', async () => {
    const text = `${jsonl({ data: [post(1, 'a'), post(2, 'b'), post(3, 'c')] })}`;
    expect((await archiveOf(text, 2)).mainIds).toHaveLength(2);
    const bad = await archiveOf(`not JSON\n{"data":{"tweet_count":1}}\n7\n${text}`);
    expect([bad.unusedLines, bad.mainIds.length]).toEqual([3, 3]);
  });
});

test('each post is created when it is due, and a slow one does not delay the others', async () => {
  let nowMs = 5_000;
  const created: [string, number][] = [];
  const steps = planReplay(await archiveOf(jsonl({ data: [post(0, 'a'), post(10, 'b'), post(30, 'c')] })), 2);
  const report = await replay(steps, {
    clock: () => nowMs,
    wait: async (durationMs) => void (nowMs += durationMs),
    create: async ({ id: of }) => {
      created.push([of, nowMs - 5_000]);
      nowMs += 4_000;
      return of === id(10) ? 'refused' : undefined;
    },
    isStopped: () => false,
  });
  expect(created).toEqual([
    [id(0), 0],
    [id(10), 5_000],
    [id(30), 15_000],
  ]);
  expect(report).toEqual({ posted: 2, refused: new Map([['refused', 1]]), isStopped: false });
});

test('a stop ends the replay before the next post', async () => {
  const steps = planReplay(await archiveOf(jsonl({ data: [post(0, 'a'), post(10, 'b')] })), 1);
  let isStopped = false;
  const report = await replay(steps, {
    clock: () => 0,
    wait: async () => void (isStopped = true),
    create: async () => undefined,
    isStopped: () => isStopped,
  });
  expect(report).toMatchObject({ posted: 1, isStopped: true });
});

test('pipit replay posts into a running server, whose streams deliver them', async () => {
  await using folder = await temporaryFolder();
  const server = await serveHere(folder.path, '--rate-limits', 'off');
  const { bearer_token: token } = JSON.parse(await readFile(folder.file('data/credentials.json'), 'utf8'));
  const file = folder.file('posts.jsonl');
  const quoteLink = `https://t.co/q`;
  await writeFile(
    file,
    jsonl(
      { data: [post(1, 'Salt &amp; pepper @bob')], includes: { users: [ALICE, BOB] } },
      { data: [post(2, '@alice Yes', { author_id: '990012', ...refersTo('replied_to', 1) })] },
      {
        data: [
          post(3, `Look ${quoteLink}`, {
            author_id: '990012',
            ...refersTo('quoted', 1),
            entities: {
              urls: [
                {
                  start: 5,
                  end: 19,
                  url: quoteLink,
                  expanded_url: `https://twitter.com/alice/status/${id(1)}`,
                },
              ],
            },
          }),
        ],
      },
      { data: [post(4, 'RT', { author_id: '990013', ...refersTo('retweeted', 1) })] },
      { data: [post(5, 'Salt &amp; pepper @bob')] },
      { data: [post(6, 'RT', refersTo('retweeted', 99))] },
    ),
  );
  const rules = await fetch(`${server.url}/2/tweets/search/stream/rules`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ add: [{ value: 'from:990011 OR from:990012 OR from:990013' }] }),
  });
  expect(rules.status).toBe(201);
  const fields = '?tweet.fields=referenced_tweets,entities&expansions=author_id';
  const stream = await readStream(server.url, token, fields);
  const args = ['replay', file, '--speed', '1000000', '--json', '--base-url', server.url];
  const database = `sqlite:${folder.file('data/pipit.db')}`;
  const { status, stdout, stderr } = await runCli(args, {
    folder: folder.path,
    env: { PIPIT_DATABASE: database },
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({
    posted: 5,
    refused: { 'It is a repost of a post that was not replayed.': 1 },
    renamed_users: 0,
    unused_lines: 0,
  });
  const [first, reply, quote, repost] = [
    await stream.next(),
    await stream.next(),
    await stream.next(),
    await stream.next(),
  ];
  stream.close();
  const newId = first.data.id as string;
  expect(newId > id(6)).toBe(true);
  expect(first).toMatchObject({ data: { text: 'Salt &amp; pepper @bob', author_id: '990011' } });
  expect(first.data.entities.mentions).toMatchObject([{ username: 'bob', id: '990012' }]);
  expect(reply.data).toMatchObject({
    text: '@alice Yes',
    referenced_tweets: [{ type: 'replied_to', id: newId }],
  });
  expect(quote.data.text).toBe(`Look ${server.url}/alice/status/${newId}`);
  expect(repost).toMatchObject({
    data: { author_id: '990013', referenced_tweets: [{ type: 'retweeted', id: newId }] },
    includes: { users: [{ name: 'User 990013' }] },
  });
  expect(await server.stop()).toBe(0);
});

describe('pipit replay --url', () => {
  const lines = jsonl(
    { data: [post(1, 'A pond @bob')], includes: { users: [ALICE, BOB] } },
    { data: [post(2, '@alice Yes', { author_id: '990012', ...refersTo('replied_to', 1) })] },
    { data: [post(3, 'RT', { author_id: '990013', ...refersTo('retweeted', 1) })] },
    { data: [post(4, 'A pond @bob')] },
  );
  const replayInto = async (
    folder: { file(name: string): string; path: string },
    ...args: readonly string[]
  ) => {
    await writeFile(folder.file('posts.jsonl'), lines);
    const command = ['replay', folder.file('posts.jsonl'), '--speed', '1000000', ...args];
    return runCli(command, { folder: folder.path });
  };

  test('posts into a sandbox in memory, by its rules', async () => {
    await using folder = await temporaryFolder();
    const args = ['--sandbox', '--database', 'sqlite::memory:', '--load', 'demo'];
    const server = await serveHere(folder.path, ...args);
    const { status, stdout } = await replayInto(folder, '--url', server.url, '--json');
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      {
        posted: 3,
        refused: { 'You are not allowed to create a Tweet with duplicate content.': 1 },
        renamed_users: 0,
        unused_lines: 0,
      },
    ]);
    const issued = await fetch(`${server.url}/_pipit/sandbox/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'app' }),
    });
    const { data } = (await issued.json()) as { data: { access_token: string } };
    const read = await fetch(`${server.url}/2/users/990012/tweets?tweet.fields=referenced_tweets`, {
      headers: { authorization: `Bearer ${data.access_token}` },
    });
    expect(await read.json()).toMatchObject({
      data: [{ text: '@alice Yes', referenced_tweets: [{ type: 'replied_to' }] }],
    });
    await server.stop();
  });

  test('is refused by a server that is no sandbox, and when none answers', async () => {
    await using folder = await temporaryFolder();
    const server = await serveHere(folder.path);
    const refused = await replayInto(folder, '--url', server.url);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('is no sandbox')]);
    await server.stop();
    const unanswered = await replayInto(folder, '--url', server.url);
    expect([unanswered.status, unanswered.stderr]).toEqual([1, expect.stringContaining('no server answers')]);
    expect((await replayInto(folder, '--url', 'nonsense')).status).toBe(2);
  });
});

test.each([
  [['--speed', '0'], /number above 0/],
  [['--speed', 'x'], /number above 0/],
  [['--limit', '0'], /whole number from 1/],
])('refuses %j as wrong usage', async (flags, message) => {
  const { status, stderr } = await runCli(['replay', 'x.jsonl', ...flags]);
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});
