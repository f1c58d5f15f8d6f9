import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { CommandIo } from '../../src/commands/command.js';
import { addImportCommands } from '../../src/commands/import.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import type { LooseJson } from '../support/loose-json.js';
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
  stopped: Promise<void> = new Promise(() => undefined),
): Promise<Outcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const io: CommandIo = {
    env: { PIPIT_DATABASE: url },
    stdin: Readable.from([stdin]),
    isTerminal: false,
    pid: process.pid,
    program: [process.execPath],
    folder,
    print: (line) => void stdout.push(line),
    note: (line) => void stderr.push(line),
    askSecret: () => Promise.resolve(undefined),
    ask: () => Promise.resolve(undefined),
    stopRequested: () => stopped,
    onRestartRequested: () => undefined,
    onSignal: () => undefined,
    onUncaughtError: () => undefined,
    limitHeapGrowth: () => undefined,
  };
  const program = new Command().exitOverride();
  addImportCommands(program, io);
  await program.parseAsync(['import', 'twarc', ...args], { from: 'user' });
  return { stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

test('import twarc reads files and standard input and reports the result', async () => {
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

test('import twarc repeated reports that nothing is new', async () => {
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

test('import twarc --dry-run counts what the import then does, over files that overlap with each other and with the database', async () => {
  await using database = await createSharedDatabase();
  const files = ['old.jsonl', 'new.jsonl', 'again.jsonl'];
  await writeFile(database.file('old.jsonl'), syntheticPage(0, 10));
  await importTwarc(database, ['old.jsonl']);
  await writeFile(database.file('new.jsonl'), `${syntheticPage(5, 15)}\nnonsense\n${refetchedPage(0, 3)}`);
  await writeFile(database.file('again.jsonl'), `${syntheticPage(12, 10)}\n${refetchedPage(14, 2)}\n`);
  const dry = await importTwarc(database, [...files, '--dry-run', '--json']);
  const { dry_run: isDry, ...counts } = JSON.parse(dry.stdout) as Record<string, unknown>;
  expect(isDry).toBe(true);
  const again = await importTwarc(database, [...files, '--dry-run', '--json']);
  expect(again.stdout).toBe(dry.stdout);
  const real = await importTwarc(database, [...files, '--json']);
  const { refused_file: refusedFile, ...done } = JSON.parse(real.stdout) as Record<string, unknown>;
  expect(counts).toEqual(done);
  expect(refusedFile).toBeDefined();
  expect(done).toMatchObject({ posts: { new: 12, updated: 5 }, refused: 1 });
});

/** Returns the same posts as fetched much later, with another number of likes. */
function refetchedPage(first: number, count: number): string {
  const page = JSON.parse(syntheticPage(first, count)) as LooseJson;
  page.__twarc = { ...page.__twarc, retrieved_at: '2024-01-01T00:00:00+00:00' };
  for (const post of page.data) post.public_metrics = { ...post.public_metrics, like_count: 77_777 };
  return JSON.stringify(page);
}

test('import twarc reports how to continue when interrupted, with status 130', async () => {
  await using database = await createSharedDatabase();
  await writeFile(database.file('a b.jsonl'), syntheticPage(0, 10));
  await writeFile(database.file('c.jsonl'), syntheticPage(10, 10));
  const interrupted = importTwarc(
    database,
    ['a b.jsonl', 'c.jsonl', '--refused', 'r'],
    '',
    Promise.resolve(),
  );
  await expect(interrupted).rejects.toMatchObject({
    exitStatus: 130,
    message: `interrupted in ${database.file('a b.jsonl')}; the lines read so far are stored. To continue: pipit import twarc 'a b.jsonl' c.jsonl --refused r`,
  });
});

test('import twarc of a missing file fails before reading anything', async () => {
  await using database = await createSharedDatabase();
  await writeFile(database.file('pages.jsonl'), syntheticPage(0, 10));
  await expect(importTwarc(database, ['pages.jsonl', 'absent.jsonl'])).rejects.toThrow(
    'there is no such file',
  );
  const { stdout } = await importTwarc(database, ['pages.jsonl', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ posts: { new: 10 } });
});
