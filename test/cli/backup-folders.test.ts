import { execFile, execFileSync } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBackend } from '../../src/server/backend.js';
import { syncTree } from '../../src/server/backups/sync-tree.js';
import { writeBackup } from '../../src/server/backups/write-backup.js';
import { gif, png } from '../api/support/media-files.js';
import { openUploads } from '../api/support/uploads.js';
import { createDatabase, runCli, spawnCli, temporaryFolder, type CliOutcome } from '../support/cli.js';
import { PROGRAM } from '../support/program.js';
import { rounds } from '../support/rounds.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';

/** Folders of backups: their list, how many stay, the choice by time; what is wrong with a backup, and full disks. */

const HOUR_MS = 3_600_000;

let database: SharedDatabase;
let saved: string;
/** All files of the backup. */
let files: string[];

const on = (file: string, env: Record<string, string> = {}) => ({
  env: { PIPIT_DATABASE: `sqlite:${file}`, ...env },
});
const json = ({ stdout }: CliOutcome) => JSON.parse(stdout);

beforeAll(async () => {
  database = await createSharedDatabase();
  const app = await openUploads({ database });
  for (const media of [await png(), gif()]) {
    const id = await app.uploaded(media);
    await app.json('POST', '/2/tweets', { text: 'seen', media: { media_ids: [id] } });
  }
  saved = database.file('saved');
  expect((await runCli(['backup', saved], on(database.file('pipit.db')))).status).toBe(0);
  await app.close();
  files = (await readdir(saved, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(saved.length + 1)] : [],
  );
});
afterAll(() => database.remove());

test('a backup describes itself, and sha256sum reads its checksums', async () => {
  const manifest = JSON.parse(await readFile(join(saved, 'backup.json'), 'utf8'));
  expect(manifest).toMatchObject({
    format: 1,
    engine: 'SQLite',
    database: { file: 'pipit.db', bytes: (await stat(join(saved, 'pipit.db'))).size },
    media: { files: files.length - 4, missing: [] },
    tables: { media: 2 },
  });
  expect(Math.abs(Date.parse(manifest.created_at) - Date.now())).toBeLessThan(HOUR_MS);
  const sums = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: saved,
    encoding: 'utf8',
  });
  expect(sums.trim().split('\n')).toHaveLength(files.length - 1);
});

test('a sound backup is found sound, whatever is verified with it', async () => {
  const outcome = await runCli(['backup', 'verify', saved, '--deep', '--json']);
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  expect(json(outcome)).toMatchObject({
    path: saved,
    sound: true,
    media_files: files.length - 4,
    problems: [],
    differences: [],
  });
  expect(json(outcome).rows).toBeGreaterThan(10);
});

/** A way to damage a file. */
const DAMAGES: Readonly<Record<string, (file: string, share: number) => Promise<void>>> = {
  'a flipped bit': async (file, share) => {
    const bytes = await readFile(file);
    const place = Math.floor(share * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(share * 8));
    await writeFile(file, bytes);
  },
  'a cut': async (file, share) => truncate(file, Math.floor(share * (await stat(file)).size)),
  'more bytes': (file) => appendFile(file, '\n'),
  'a loss': (file) => rm(file),
  'another file': (file) => writeFile(join(dirname(file), 'other.png'), 'x'),
};

test('any damage of any file is found', async () => {
  await using folder = await temporaryFolder();
  const damage = fc.record({
    kind: fc.constantFrom(...Object.keys(DAMAGES)),
    file: fc.constantFrom(...files),
    share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(damage, async ({ kind, file, share }) => {
      const copy = folder.file(String((count += 1)));
      await cp(saved, copy, { recursive: true });
      await DAMAGES[kind]?.(join(copy, file), share);
      const { status } = await runCli(['backup', 'verify', copy]);
      expect(status).toBe(1);
    }),
    { numRuns: rounds(25) },
  );
});

test('a damaged database is not restored', async () => {
  await using folder = await temporaryFolder();
  const copy = folder.file('copy');
  await cp(saved, copy, { recursive: true });
  await DAMAGES['a flipped bit']?.(join(copy, 'pipit.db'), 0.5);
  const there = folder.file('there/pipit.db');
  const outcome = await runCli(['restore', copy], on(there));
  expect(outcome).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/pipit\.db is damaged: use another/),
  });
  expect(await readdir(folder.file('there'))).toEqual(['pipit.db-lock']);
});

test('backups in a folder share unchanged files, are listed, restored by time, and the oldest are deleted', async () => {
  await using folder = await temporaryFolder();
  const all = folder.file('backups');
  const here = on(database.file('pipit.db'), { PIPIT_BACKUP_TO: all });
  const made: { path: string; created_at: string }[] = [];
  for (const name of ['one', 'two', 'three']) {
    await runCli(['user', 'create', name], here);
    made.push(json(await runCli(['backup', '--json'], here)));
  }
  const list = await runCli(['backup', 'list', '--json'], here);
  expect(json(list).map((each: { path: string }) => each.path)).toEqual(
    made.map(({ path }) => path).reverse(),
  );
  const [one, two] = made;
  const media = files.find((name) => name.startsWith('media/')) ?? '';
  const [first, second] = [
    await stat(join(one?.path ?? '', media)),
    await stat(join(two?.path ?? '', media)),
  ];
  expect(first.ino).toBe(second.ino);

  const there = on(folder.file('there/pipit.db'));
  const restored = await runCli(['restore', all, '--at', two?.created_at ?? '', '--json'], there);
  expect(json(restored)).toMatchObject({ file: two?.path, created_at: two?.created_at });
  expect((await runCli(['user', 'show', 'two'], there)).status).toBe(0);
  expect((await runCli(['user', 'show', 'three'], there)).status).toBe(1);
  const early = await runCli(['restore', all, '--at', '2020-01-01T00:00Z'], there);
  expect(early.stderr).toContain(`the oldest backup in ${all} is of ${one?.created_at}`);
  for (const time of ['yesterday', '2026-11-20', '2026-11-20T12:00'])
    expect((await runCli(['restore', all, '--at', time], there)).status, time).toBe(2);

  await mkdir(join(all, 'mine'));
  await writeFile(join(all, 'mine', 'notes'), 'not a backup');
  const last = json(await runCli(['backup', '--keep', '2', '--json'], here));
  expect(last.deleted.sort()).toEqual([one?.path, two?.path].sort());
  expect((await readdir(all)).sort()).toEqual(
    ['mine', ...[made[2]?.path, last.path].map((path) => String(path).slice(all.length + 1))].sort(),
  );
  expect(await runCli(['backup', 'verify', all])).toMatchObject({ status: 0 });
});

test('a killed backup leaves nothing that looks like one, and the next one removes what it left', async () => {
  await using folder = await temporaryFolder();
  const all = folder.file('backups');
  const env = { ...process.env, PIPIT_DATABASE: `sqlite:${database.file('pipit.db')}`, PIPIT_BACKUP_TO: all };
  await using running = spawnCli(['backup'], folder.path, env);
  const namesNow = () => readdir(all).catch(() => []);
  while ((await namesNow()).length === 0) await turn();
  running.child.kill('SIGKILL');
  await running.exit();
  const [partial = ''] = await namesNow();
  expect(partial).toMatch(/\.partial-[0-9a-f]{12}$/);
  expect(await runCli(['backup', 'list', all])).toMatchObject({ status: 0, stdout: '' });
  expect((await runCli(['restore', all], on(folder.file('there.db')))).status).toBe(1);
  // One that is being written at the same time would have been touched within the last minute.
  expect((await runCli(['backup'], { env })).status).toBe(0);
  expect(await namesNow()).toContain(partial);
  const before = new Date(Date.now() - 2 * HOUR_MS);
  await utimes(join(all, partial), before, before);
  expect((await runCli(['backup'], { env })).status).toBe(0);
  expect((await namesNow()).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a full disk ends a backup with a message; the old ones stay, and nothing else', async () => {
  await using folder = await temporaryFolder();
  const all = folder.file('backups');
  const env = { ...process.env, PIPIT_DATABASE: `sqlite:${database.file('pipit.db')}`, PIPIT_BACKUP_TO: all };
  expect((await runCli(['backup'], { env })).status).toBe(0);
  const old = await readdir(all);
  // No file may be larger than 200 KB: as on a full disk, a write fails in the middle.
  const limited = [
    '-c',
    'ulimit -f 400; exec "$@"',
    'sh',
    process.execPath,
    ...PROGRAM,
    'backup',
    '--keep',
    '1',
  ];
  const failed = await promisify(execFile)('/bin/sh', limited, { env }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^pipit: .*(?:backup|write)/) });
  expect(await readdir(all)).toEqual(old);
});

test('a backup during which files may have been deleted, as its hold had ended, is none', async () => {
  await using folder = await temporaryFolder();
  await createDatabase(folder.file('pipit.db'));
  const backend = await openBackend(`sqlite:${folder.file('pipit.db')}`);
  let readings = 0;
  const source = {
    ...backend,
    database: `sqlite:${folder.file('pipit.db')}`,
    media: undefined,
    mediaFolder: folder.file('media'),
    programs: undefined,
    // The machine sleeps in the middle.
    clock: () => Date.now() + ((readings += 1) > 2 ? HOUR_MS : 0),
  };
  const { signal } = new AbortController();
  await expect(writeBackup(folder.file('saved'), source, { signal })).rejects.toThrow(
    /could not be reached for too long/,
  );
  await backend.close();
  expect((await readdir(folder.path)).filter((name) => name.startsWith('saved'))).toEqual([]);
});

test('a folder is brought to disk where no program does that at once, too', async () => {
  await syncTree(saved, '/nonexistent');
  await syncTree(saved, 'false');
});

test('a backup of a former version is a file, which is still restored', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('saved');
  await createDatabase(folder.file('pipit.db'));
  await runCli(['user', 'create', 'erin'], on(folder.file('pipit.db')));
  await cp(folder.file('pipit.db'), file);
  const db = new Database(file);
  db.exec('CREATE TABLE backup_key (bytes BLOB NOT NULL, has_media INTEGER NOT NULL)');
  db.prepare('INSERT INTO backup_key VALUES (?, 1)').run(await readFile(folder.file('pipit.key')));
  db.close();
  const there = on(folder.file('there/pipit.db'));
  expect((await runCli(['restore', file], there)).stderr).toMatch(/saved\.media is missing/);
  await mkdir(folder.file('saved.media/07/107'), { recursive: true });
  await writeFile(folder.file('saved.media/07/107/a.png'), 'picture');
  expect((await runCli(['restore', file], there)).status).toBe(0);
  expect((await runCli(['user', 'show', 'erin'], there)).status).toBe(0);
  expect(await readFile(folder.file('there/media/07/107/a.png'), 'utf8')).toBe('picture');
  expect(await readFile(folder.file('there/pipit.key'))).toEqual(await readFile(folder.file('pipit.key')));
});

test.each([
  [['backup'], 'name the new folder of the backup, or a folder of backups by --backup-to'],
  [['backup', 'here', '--keep', '2'], '--backup-to and --keep are for a folder of backups: leave out PATH'],
  [['backup', '--keep', '0'], 'It must be a whole number from 1.'],
])('%j is refused', async (args, message) => {
  const outcome = await runCli(args, on(database.file('pipit.db')));
  expect(outcome).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
});
