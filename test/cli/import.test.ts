import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { syntheticPage } from '../archive/synthetic.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

async function importing(files: Readonly<Record<string, string | Uint8Array>>, ...flags: string[]) {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  const args = ['import', 'twarc', ...Object.keys(files), ...flags];
  await createDatabase(folder.file('pipit.db'));
  const outcome = await runCli(args, { env, folder: folder.path });
  const stderr = outcome.stderr.replaceAll(`${folder.path}/`, '').replace(/^created the database .*\n?/m, '');
  return { ...outcome, stderr: stderr.trimEnd() };
}

test.each([
  ['text', 'nonsense\nmore nonsense\n'],
  ['JSON of another type', '{"users":[]}\n[]\n5\n'],
  ['only refused posts', '{"data":[{"id":"1","text":"no author"},{"id":"2","text":"no author"}]}\n'],
  [
    'posts of version 1.1 after another line',
    '{"x":1}\n{"id":1,"id_str":"1","text":"t","user":{"screen_name":"u"}}\n',
  ],
  ['a damaged gzip file', gzipSync(syntheticPage(0, 5)).subarray(0, 12)],
])('an import without a usable line fails: %s', async (_what, content) => {
  for (const flags of [[], ['--dry-run'], ['--json']]) {
    expect(await importing({ 'x.jsonl': content }, ...flags)).toMatchObject({
      status: 1,
      stderr: 'pipit: no importable line in x.jsonl',
    });
  }
});

const V1 =
  '{"created_at":"Wed Mar 01 12:00:00 +0000 2023","id":1,"id_str":"1","full_text":"t","user":{"screen_name":"u"}}';
const ZIP = [0x50, 0x4b, 0x03, 0x04, 20, 0, 0, 0];

test.each<[string, string | Uint8Array, RegExp]>([
  ['posts of version 1.1', `${V1}\n${V1}\n`, /contains posts of version 1\.1.*twarc2 hydrate$/],
  ['compressed posts of version 1.1', gzipSync(V1), /contains posts of version 1\.1/],
  ['an array of them', `[${V1},\n${V1}]`, /contains posts of version 1\.1/],
  ["X's archive", Buffer.from([...ZIP, ...Buffer.from('data/tweets.js')]), /is an account archive from X/],
  ["a part of X's archive", 'window.YTD.tweets.part0 = [ {', /is a part of an account archive from X/],
  ['another ZIP archive', Buffer.from([...ZIP, ...Buffer.from('a.jsonl')]), /is a ZIP archive: unpack it/],
  ['bzip2', Buffer.from('BZh91AY&SY'), /bzip2: bzip2 -dc x\.jsonl \| pipit import twarc -$/],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /xz: xz -dc x\.jsonl \| pipit import twarc -$/],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4]), /zstd: zstd -dc x\.jsonl \|/],
  ['a table', 'id,conversation_id,author.username,text\n1,2,u,hello\n', /is a table \(CSV\)/],
  ['a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', /is a web page/],
  ['UTF-16', Buffer.from(`\uFEFF${syntheticPage(0, 1)}`, 'utf16le'), /is UTF-16 text: iconv/],
  ['ids', '1460323737035677698\n1293593516040269825\n', /is a list of ids: twarc2 hydrate/],
  ['an array', `[${syntheticPage(0, 1)}]`, /is one JSON array.*: jq -c/],
])(
  'a file in another format is identified, with a remedy, and nothing is written: %s',
  async (_what, content, says) => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('x.jsonl'), content);
    await writeFile(folder.file('good.jsonl'), syntheticPage(0, 5));
    const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
    const before = await readdir(folder.path);
    const refused = await runCli(['import', 'twarc', 'good.jsonl', 'x.jsonl'], { env, folder: folder.path });
    expect({ ...refused, stderr: '' }).toEqual({ status: 1, stdout: '', stderr: '' });
    expect(refused.stderr.replaceAll(`${folder.path}/`, '')).toMatch(/^pipit: x\.jsonl [^\n]*$/);
    expect(refused.stderr.replaceAll(`${folder.path}/`, '')).toMatch(says);
    const stdin = Readable.from([content]);
    const piped = await runCli(['import', 'twarc', '-'], { env, folder: folder.path, stdin });
    expect(piped).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^pipit: standard input [^\n]*$/),
    });
    expect(await readdir(folder.path)).toEqual(before);
  },
);

test('a folder is identified', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('pages'));
  await mkdir(folder.file('archive/data'), { recursive: true });
  await writeFile(folder.file('archive/data/manifest.js'), '');
  const importFolder = (name: string) => runCli(['import', 'twarc', name], { folder: folder.path });
  expect(await importFolder('pages')).toMatchObject({
    status: 1,
    stderr: `pipit: ${folder.file('pages')} is a folder: specify the files in it, such as ${folder.file('pages')}/*.jsonl`,
  });
  expect((await importFolder('archive')).stderr).toContain('an account archive from X');
});

test('the first refused lines are listed with reasons, then counts per reason', async () => {
  const bad = '{"data":[{"id":"9","text":"no author"}]}';
  const lines = [syntheticPage(0, 1), 'nonsense', bad, 'more', 'and more', bad, 'the last'];
  const { stdout, status } = await importing({ 'x.jsonl': lines.join('\n') });
  expect(status).toBe(0);
  expect(stdout.split('\n').map((line) => line.replace(/ \/.*\//, ' '))).toEqual([
    'imported 7 lines of 1 files',
    'posts: 1 new',
    'users: 1 new',
    'refused: 6, listed in x.jsonl.refused.jsonl',
    '  x.jsonl line 2: not JSON',
    '  x.jsonl line 3, 9: post: no author_id',
    '  x.jsonl line 4: not JSON',
    '  x.jsonl line 5: not JSON',
    '  x.jsonl line 6, 9: post: no author_id',
    '  in total:',
    '  3 not JSON',
    '  2 post: no author_id',
    '  1 truncated: not JSON, and no line end',
  ]);
  const { stdout: json } = await importing({ 'x.jsonl': lines.join('\n') }, '--json');
  expect(JSON.parse(json).refused_by_reason).toEqual({
    'not JSON': 3,
    'post: no author_id': 2,
    'truncated: not JSON, and no line end': 1,
  });
});

test('an unusable file mixed others is reported; the others are imported', async () => {
  const files = { 'good.jsonl': syntheticPage(0, 5), 'bad.jsonl': 'nonsense' };
  const { status, stdout, stderr } = await importing(files, '--json');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'pipit: no importable line in bad.jsonl',
  });
  expect(JSON.parse(stdout)).toMatchObject({ files: 2, posts: { new: 5 }, refused: 1 });
});

test.each([
  ['an empty file', ''],
  ['blank lines', '\n \n\n'],
  ['an empty gzip file', gzipSync('')],
])('an empty import fails: %s', async (_what, content) => {
  expect(await importing({ 'x.jsonl': content })).toMatchObject({
    status: 1,
    stderr: 'pipit: x.jsonl: nothing to import. twarc2 leaves an empty file when it finds nothing',
  });
  const mixed = await importing({ 'good.jsonl': syntheticPage(0, 1), 'x.jsonl': content });
  expect(mixed).toMatchObject({ status: 0, stderr: 'x.jsonl is empty' });
});

test.each([
  ['lines of other types', '{"data":[{"start":"s","end":"e","tweet_count":1}]}\n'],
  ['a readable line among others', `nonsense\n${syntheticPage(0, 1)}\n`],
])('an import succeeds with %s', async (_what, content) => {
  expect(await importing({ 'x.jsonl': content })).toMatchObject({ status: 0, stderr: '' });
});

test('a dry run creates no database', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('x.jsonl'), syntheticPage(0, 5));
  const args = [
    'import',
    'twarc',
    'x.jsonl',
    '--dry-run',
    '--database',
    `sqlite:${folder.file('data/pipit.db')}`,
  ];
  const { status, stdout } = await runCli(args, { folder: folder.path });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: 'would import 1 lines of 1 files\nposts: 5 new\nusers: 5 new',
  });
  expect(await readdir(folder.path)).toEqual(['x.jsonl']);
});
