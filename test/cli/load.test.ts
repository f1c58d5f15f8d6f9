import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';
import { APP, POSTS, standardWorld } from '../support/world.js';

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Loads documents, one file each (`0.json`, `1.json`), into one database. */
async function withLoad(
  work: (load: (documents: readonly unknown[], ...flags: string[]) => Promise<Outcome>) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  await createDatabase(folder.file('pipit.db'));
  await work(async (documents, ...flags) => {
    const files = documents.map((_, index) => folder.file(`${index}.json`));
    for (const [index, document] of documents.entries()) {
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      await writeFile(files[index] ?? '', text);
    }
    const { status, stdout, stderr } = await runCli(['load', ...files, ...flags], { env });
    const short = (text: string) => text.replaceAll(`${folder.path}/`, '');
    return { status, stdout: short(stdout), stderr: short(stderr) };
  });
}

const TOKENS = [
  { app: APP.id, user: 'bob', kind: 'oauth1', access_token: '1002-abc', access_token_secret: 'def' },
  { app: APP.id, user: 'bob', kind: 'oauth2', access_token: 'ghi', scopes: ['tweet.read'] },
];
const PLACE = {
  id: 'p1',
  full_name: 'P',
  name: 'P',
  country: 'C',
  country_code: 'CC',
  place_type: 'city',
  bbox: [0, 50, 1, 60],
};
const BAD = { users: [{ id: '1', username: 'x', name: 5 }, { id: 'y' }] };

test('load counts new objects per section, and none the second time', () =>
  withLoad(async (load) => {
    const media = [{ media_key: '3_77', type: 'photo' }];
    const world = { ...standardWorld(), media, places: [PLACE], tokens: TOKENS };
    const first = await load([`\uFEFF${JSON.stringify(world)}`], '--json');
    expect(JSON.parse(first.stdout)).toEqual({
      files: [
        {
          file: '0.json',
          added: {
            ...{ users: 5, follows: 4, blocks: 1, mutes: 1, posts: 5, likes: 1, bookmarks: 1 },
            ...{ dm_blocks: 0, bookmark_folders: 0, saved_searches: 0, notifications: 0 },
            ...{ articles: 0, deleted_posts: 0, deleted_users: 0 },
            ...{
              media: 1,
              places: 1,
              lists: 0,
              spaces: 0,
              communities: 0,
              conversations: 0,
              apps: 1,
              tokens: 2,
              stream_rules: 0,
              webhooks: 0,
              activity_subscriptions: 0,
              usage: 0,
            },
          },
        },
      ],
    });
    const second = await load([world], '--json');
    expect(new Set(Object.values(JSON.parse(second.stdout).files[0].added))).toEqual(new Set([0]));
    expect((await load([{ tokens: [{ ...TOKENS[1], access_token: 'jkl' }] }])).stdout).toBe(
      '0.json: added 1 tokens',
    );
    const folder = { id: '7', user: 'bob', name: 'Herons' };
    const plain = { bookmark_folders: [folder], dm_blocks: [{ from: 'bob', to: 'carol' }] };
    expect((await load([plain])).stdout).toBe('0.json: added 1 dm blocks, 1 bookmark folders');
  }));

test('load reports every fault of a file with file, path and reason, one per line', () =>
  withLoad(async (load) => {
    expect(await load(['{"users":[{"id":"1","username":"x","name":5}]}'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'pipit: 0.json: $.users[0].name: must be a string, not 5',
    });
    expect(await load([BAD])).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        'pipit: 0.json: $.users[0].name: must be a string, not 5',
        'pipit: 0.json: $.users[1].id: must be an id: a string of 1 to 19 digits, not "y"',
        'pipit: 0.json: $.users[1].username: is missing',
        'pipit: 0.json: $.users[1].name: is missing',
      ].join('\n'),
    });
    const many = await load([{ users: Array.from({ length: 150 }, () => 5) }]);
    expect(many.stderr.split('\n')).toHaveLength(101);
    expect(many.stderr.split('\n').at(-1)).toBe('pipit: 50 more faults: pipit load --json lists them');
  }));

test('load reports line and column of a JSON error, and suggests the key that was likely meant', () =>
  withLoad(async (load) => {
    for (const [text, fault] of [
      ['{"users":', 'line 1, column 10: expected a value, but the file ends'],
      [
        '{\n  "users": [\n    { "id": "1" "name": "E" }',
        'line 3, column 17: expected , or }, but there is "\\""',
      ],
      ['{\n  "users": [],\n}', 'line 3, column 1: expected a key in double quotes, but there is "}"'],
      ["{ 'users': [] }", 'line 1, column 3: expected a key in double quotes, but there is "\'"'],
    ]) {
      expect((await load([text])).stderr).toBe(`pipit: 0.json: $: is not JSON: ${fault}`);
    }
    const slips = { user: [], users: [{ id: '1', usrename: 'erin', name: 'Erin' }] };
    expect((await load([slips])).stderr.split('\n')).toEqual([
      'pipit: 0.json: $.user: is no known key; did you mean users?',
      'pipit: 0.json: $.users[0].usrename: is no known key; did you mean username?',
      'pipit: 0.json: $.users[0].username: is missing',
    ]);
  }));

test('load --json lists every fault of a refused file', () =>
  withLoad(async (load) => {
    const { status, stdout, stderr } = await load([BAD], '--json');
    expect(status).toBe(1);
    expect(stderr.split('\n')).toHaveLength(4);
    const { refused } = JSON.parse(stdout);
    expect(refused.file).toBe('0.json');
    expect(refused.faults.map(({ path }: { path: string }) => path)).toEqual([
      '$.users[0].name',
      '$.users[1].id',
      '$.users[1].username',
      '$.users[1].name',
    ]);
  }));

test('files before a refused one are loaded and reported', () =>
  withLoad(async (load) => {
    expect(await load([standardWorld(), BAD])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^0\.json: added 5 users/),
      stderr: expect.stringMatching(/^pipit: 1\.json: /),
    });
    const again = await load([standardWorld(), BAD], '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      files: [{ file: '0.json', added: { users: 0 } }],
      refused: { file: '1.json' },
    });
  }));

test('a file that contradicts a stored post is refused', () =>
  withLoad(async (load) => {
    await load([standardWorld()]);
    const posts = [{ id: POSTS.hello, author: 'alice', text: 'Hello from the pond' }];
    expect(await load([{ ...standardWorld(), posts }])).toEqual({
      status: 1,
      stdout: '',
      stderr: `pipit: 0.json: $.posts[0].text: differs from post ${POSTS.hello} in the database: a changed post needs a new id`,
    });
  }));
