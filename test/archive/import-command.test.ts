import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { CommandIo } from '../../src/commands/command.js';
import { addImportCommands } from '../../src/commands/import.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { syntheticPage } from './synthetic.js';

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `pipit import twarc` on the database, in its folder. */
async function importTwarc(
  { url, folder }: SharedDatabase,
  args: readonly string[],
  stdin = '',
): Promise<Outcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const io: CommandIo = {
    env: { PIPIT_DATABASE: url },
    stdin: Readable.from([stdin]),
    isTerminal: false,
    pid: process.pid,
    folder,
    print: (line) => void stdout.push(line),
    note: (line) => void stderr.push(line),
    askSecret: () => Promise.resolve(undefined),
    ask: () => Promise.resolve(undefined),
    stopRequested: () => Promise.resolve(),
    onRestartRequested: () => undefined,
    onEscapedError: () => undefined,
  };
  const program = new Command().exitOverride();
  addImportCommands(program, io);
  await program.parseAsync(['import', 'twarc', ...args], { from: 'user' });
  return { stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

test('import twarc reads files and standard input and tells what became of them', async () => {
  await using database = await createSharedDatabase();
  await writeFile(database.file('pages.jsonl'), gzipSync(syntheticPage(0, 10)));
  const { stdout } = await importTwarc(
    database,
    ['pages.jsonl', '-', '--json'],
    `${syntheticPage(10, 5)}\nnonsense\n`,
  );
  expect(JSON.parse(stdout)).toMatchObject({
    files: 2,
    lines: 3,
    posts: { new: 15, updated: 0, unchanged: 0, kept: 0 },
    refused: 1,
    refused_file: database.file('pages.jsonl.refused.jsonl'),
    first_refusals: [{ file: 'standard input', line: 2, reason: 'not JSON' }],
  });
  expect(await readFile(database.file('pages.jsonl.refused.jsonl'), 'utf8')).toContain('nonsense');
});

test('import twarc repeated tells that nothing is new', async () => {
  await using database = await createSharedDatabase();
  await writeFile(database.file('pages.jsonl'), syntheticPage(0, 10));
  const first = await importTwarc(database, ['pages.jsonl']);
  expect(first.stdout).toContain('imported 1 lines of 1 files\nposts: 10 new\nusers: 10 new');
  const second = await importTwarc(database, ['pages.jsonl']);
  expect(second.stdout).toContain('posts: 10 unchanged\nusers: 10 unchanged');
});

test('import twarc --dry-run changes nothing', async () => {
  await using database = await createSharedDatabase();
  await writeFile(database.file('pages.jsonl'), `${syntheticPage(0, 10)}\nnonsense`);
  const dry = await importTwarc(database, ['pages.jsonl', '--dry-run', '--json']);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, posts: { new: 10 }, refused: 1 });
  await expect(readFile(database.file('pages.jsonl.refused.jsonl'))).rejects.toThrow('ENOENT');
  const { stdout } = await importTwarc(database, ['pages.jsonl', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ posts: { new: 10 } });
});

test('import twarc of a file that is not there fails before anything is read', async () => {
  await using database = await createSharedDatabase();
  await writeFile(database.file('pages.jsonl'), syntheticPage(0, 10));
  await expect(importTwarc(database, ['pages.jsonl', 'absent.jsonl'])).rejects.toThrow(
    'there is no such file',
  );
  const { stdout } = await importTwarc(database, ['pages.jsonl', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ posts: { new: 10 } });
});
