import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { streamSource } from '../../src/archive/source.js';
import { planReplay } from '../../src/recording/plan-replay.js';
import { readArchives } from '../../src/recording/read-archive.js';
import { mediaOf } from '../../src/recording/replay-media.js';
import { replay } from '../../src/recording/replay.js';
import { runCli, serveHere, temporaryFolder } from '../support/cli.js';

/** What posts of a replayed archive have beside their text, and archives that are hostile. */

const id = (n: number): string => String(1_530_000_000_000_000_000n + BigInt(n));
const ALICE = { id: '990011', username: 'alice', name: 'Alice' };
const post = (n: number, text: string, more: object = {}) => ({
  id: id(n),
  author_id: ALICE.id,
  text,
  created_at: '2022-06-01T10:00:00.000Z',
  ...more,
});

async function* streamOf(...parts: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) yield Buffer.from(part as string);
}
const read = (limit: number, ...parts: readonly (string | Buffer)[]) =>
  readArchives([streamSource('lines', streamOf(...parts))], limit);
const jsonl = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const LINE = {
  data: [
    post(1, 'A picture https://t.co/m', {
      attachments: { media_keys: ['3_77', '3_78'] },
      geo: { place_id: 'aa11' },
      entities: {
        urls: [
          {
            url: 'https://t.co/m',
            expanded_url: 'https://twitter.com/alice/status/1/photo/1',
            media_key: '3_77',
          },
        ],
      },
    }),
    post(2, 'Which?', { attachments: { poll_ids: ['5'] }, geo: { place_id: 'unknown' } }),
    post(3, 'Only a key https://t.co/k', { attachments: { media_keys: ['3_99'] } }),
  ],
  includes: {
    users: [ALICE],
    media: [
      {
        media_key: '3_77',
        type: 'photo',
        url: 'https://pictures.example/1.jpg',
        width: 4,
        height: 3,
        alt_text: 'A reed',
      },
      { media_key: '3_78', type: 'photo', url: 'https://pictures.example/2.jpg' },
    ],
    polls: [
      {
        id: '5',
        duration_minutes: 60,
        options: [
          { position: 1, label: 'Reed', votes: 7 },
          { position: 2, label: 'Moss', votes: 1 },
        ],
      },
    ],
    places: [
      {
        id: 'aa11',
        full_name: 'Lund, Sweden',
        name: 'Lund',
        country: 'Sweden',
        country_code: 'SE',
        place_type: 'city',
        geo: { bbox: [13.1, 55.6, 13.3, 55.8] },
      },
      { id: 'not a place', full_name: 'Nowhere', geo: { bbox: [1] } },
    ],
  },
};

test('media, polls and places come with their posts, also when the archive is replayed again', async () => {
  await using folder = await temporaryFolder();
  const server = await serveHere(folder.path, '--rate-limits', 'off');
  const { bearer_token: token } = JSON.parse(await readFile(folder.file('data/credentials.json'), 'utf8'));
  await writeFile(folder.file('posts.jsonl'), jsonl(LINE));
  const args = ['replay', folder.file('posts.jsonl'), '--speed', '1000000', '--base-url', server.url];
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` };
  for (let n = 0; n < 2; n += 1) {
    const { status, stdout } = await runCli(args, { folder: folder.path, env });
    expect([status, stdout]).toEqual([0, 'posted 3 posts']);
  }
  const fields =
    'tweet.fields=geo&media.fields=url,alt_text,width&poll.fields=options,duration_minutes&place.fields=name' +
    '&expansions=attachments.media_keys,attachments.poll_ids,geo.place_id';
  const answer = await fetch(`${server.url}/2/users/${ALICE.id}/tweets?${fields}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data, includes } = (await answer.json()) as {
    data: { text: string }[];
    includes: Record<string, object[]>;
  };
  expect(data).toHaveLength(6);
  expect(data.at(-1)).toMatchObject({
    attachments: { media_keys: [expect.any(String), expect.any(String)] },
    geo: { place_id: 'aa11' },
  });
  expect(data.at(-1)?.text).toMatch(/^A picture http:\S+\/photo\/1$/);
  expect(data.at(-3)?.text).toBe('Only a key https://t.co/k');
  expect(includes).toMatchObject({
    media: expect.arrayContaining([
      expect.objectContaining({ url: 'https://pictures.example/1.jpg', alt_text: 'A reed', width: 4 }),
    ]),
    polls: expect.arrayContaining([
      expect.objectContaining({
        duration_minutes: 60,
        options: [
          { position: 1, label: 'Reed', votes: 0 },
          { position: 2, label: 'Moss', votes: 0 },
        ],
      }),
    ]),
    places: [{ id: 'aa11', name: 'Lund' }],
  });
  expect(await server.stop()).toBe(0);
});

test('a post gets the media that a post may have together', () => {
  const photos = Array.from({ length: 6 }, (_, n) => ({ media_key: `3_${n}`, type: 'photo' }));
  const all = new Map<string, object>(
    [...photos, { media_key: '7_1', type: 'video' }].map((each) => [each.media_key, each]),
  );
  const found = {
    media: { get: (key: string) => all.get(key) as Record<string, unknown>, values: () => [] },
  };
  const keysOf = (...keys: unknown[]) =>
    mediaOf({ attachments: { media_keys: keys } }, found).map(({ media_key }) => media_key);
  expect(keysOf('3_0', '3_1', '3_2', '3_3', '3_4', '3_5')).toEqual(['3_0', '3_1', '3_2', '3_3']);
  expect(keysOf('3_0', '7_1')).toEqual(['7_1']);
  expect([keysOf(null, {}, 7, 'x'), mediaOf({ attachments: 'x' }, found)]).toEqual([[], []]);
});

test('a gap of months is waited for in parts that a timer can take', async () => {
  const month = 31 * 24 * 3_600_000;
  const steps = planReplay(
    await read(
      9,
      jsonl({ data: [post(1, 'a'), { ...post(2, 'b'), created_at: '2022-08-01T10:00:00.000Z' }] }),
    ),
    1,
  );
  let nowMs = 0;
  const waits: number[] = [];
  await replay(steps, {
    create: async () => undefined,
    clock: () => nowMs,
    wait: async (durationMs) => {
      waits.push(durationMs);
      nowMs += durationMs;
    },
    isStopped: () => false,
  });
  expect(Math.max(...waits)).toBe(2 ** 31 - 1);
  expect(nowMs).toBeGreaterThan(month);
});

test('references in a circle, ids of other kinds and wrong types end a replay as they end for no reader', async () => {
  const around = [
    post(1, 'a', { referenced_tweets: [{ type: 'replied_to', id: id(2) }] }),
    post(2, 'b', {
      referenced_tweets: [
        { type: 'quoted', id: id(1) },
        { type: 'retweeted', id: id(1) },
      ],
    }),
    post(3, 'c', { referenced_tweets: [{ type: 'replied_to', id: id(3) }] }),
  ];
  const wrong = [
    { id: 7, text: 8 },
    { id: '-1', text: 'x' },
    { id: '99999999999999999999999', text: 'x' },
    { id: id(4), text: 'x', created_at: {}, referenced_tweets: 'y', attachments: [], geo: 1, author_id: {} },
    { id: '__proto__', text: 'x' },
  ];
  const plan = planReplay(await read(100, jsonl({ data: around }, { data: wrong }, [], 1, null, 'x')), 1);
  expect(plan.map(({ id: of }) => of).sort()).toEqual([1, 2, 3, 4].map(id));
});

test('an archive that unpacks to much more than it should keeps the memory bounded', async () => {
  const user = (n: number) => ({ id: String(n), username: `u${n}`, name: 'U' });
  const users = jsonl(...Array.from({ length: 500 }, (_, n) => ({ data: [user(n)] })));
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`;
  const deep = `{"data":${nested.trim()}}\n`;
  const zeros = Buffer.alloc(8 * 1024 ** 2, 0x20);
  const bomb = gzipSync(
    Buffer.concat([
      Buffer.from(users + nested + deep),
      zeros,
      Buffer.from(`\n${jsonl({ data: [post(1, 'a')] })}`),
    ]),
  );
  const { users: kept, mainIds, unusedLines } = await read(10, bomb);
  expect([kept.values().length, mainIds.length, unusedLines]).toEqual([100, 1, 2]);
});
