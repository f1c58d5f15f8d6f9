import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { syntheticPage } from '../archive/synthetic.js';
import { runCli, temporaryFolder } from '../support/cli.js';

async function importing(files: Readonly<Record<string, string | Uint8Array>>, ...flags: string[]) {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  const args = ['import', 'twarc', ...Object.keys(files), ...flags];
  const outcome = await runCli(args, { env, folder: folder.path });
  return { ...outcome, stderr: outcome.stderr.replaceAll(`${folder.path}/`, '') };
}

test.each([
  ['text', 'nonsense\nmore nonsense\n'],
  ['JSON of another kind', '{"users":[]}\n[]\n5\n'],
  ['bytes', Uint8Array.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0xfd])],
  ['a damaged gzip file', gzipSync(syntheticPage(0, 5)).subarray(0, 12)],
])('an import of a file without a single readable line fails: %s', async (_what, content) => {
  for (const flags of [[], ['--dry-run'], ['--json']]) {
    expect(await importing({ 'x.jsonl': content }, ...flags)).toMatchObject({
      status: 1,
      stderr: 'pipit: no line that could be imported in x.jsonl',
    });
  }
});

test('one such file among others is named; the others are imported and told of', async () => {
  const files = { 'good.jsonl': syntheticPage(0, 5), 'bad.jsonl': 'nonsense' };
  const { status, stdout, stderr } = await importing(files, '--json');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'pipit: no line that could be imported in bad.jsonl',
  });
  expect(JSON.parse(stdout)).toMatchObject({ files: 2, posts: { new: 5 }, refused: 1 });
});

test.each([
  ['an empty file', ''],
  ['blank lines', '\n \n\n'],
  ['an empty gzip file', gzipSync('')],
  ['lines of other kinds', '{"data":[{"start":"s","end":"e","tweet_count":1}]}\n'],
  ['a readable line among others', `nonsense\n${syntheticPage(0, 1)}\n`],
])('an import succeeds with %s', async (_what, content) => {
  expect(await importing({ 'x.jsonl': content })).toMatchObject({ status: 0, stderr: '' });
});
