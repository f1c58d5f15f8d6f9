import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createDatabase, runCli, spawnCli, temporaryFolder } from '../support/cli.js';

const SERVE = ['serve', '--port', '0', '--log-level', 'silent'];

const on = (file: string): { env: Record<string, string> } => ({ env: { PIPIT_DATABASE: `sqlite:${file}` } });

test.each([
  [['user', 'list']],
  [['user', 'create', 'bob', '--password', 'long enough for all']],
  [['user', 'delete', 'bob', '--yes']],
  [['app', 'create', 'x']],
  [['token', 'revoke', 'x']],
  [['jobs']],
  [['space', 'list']],
  [['follow-request', 'list', 'bob']],
  [['backup', 'saved']],
  [['doctor']],
  [['reindex']],
])(
  'a command that creates no database refuses a path without one and creates nothing: pipit %j',
  async (args) => {
    await using folder = await temporaryFolder();
    const file = folder.file('data/pipit.db');
    expect(await runCli(args, on(file))).toEqual({
      status: 1,
      stdout: '',
      stderr: `pipit: there is no database at ${file}; pipit serve, load, import or restore creates one, and --database selects another`,
    });
    expect(await readdir(folder.path)).toEqual([]);
  },
);

test('a mistyped path is reported with the database that was likely meant', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('data/pipit.db');
  await createDatabase(file);
  for (const typed of ['data/pipt.db', 'dta/pipit.db', 'data/pipit.bd']) {
    const { stderr, status } = await runCli(['user', 'list'], on(folder.file(typed)));
    expect({ stderr, status }, typed).toEqual({
      status: 1,
      stderr: `pipit: there is no database at ${folder.file(typed)}; did you mean ${file}?`,
    });
  }
  await writeFile(folder.file('empty.db'), '');
  expect((await runCli(['user', 'list'], on(folder.file('empty.db')))).stderr).toMatch(
    /^pipit: there is no database/,
  );
  expect(await readFile(folder.file('empty.db'), 'utf8')).toBe('');
});

test('load and restore report that they create a database', async () => {
  await using folder = await temporaryFolder();
  const [loaded, restored] = [folder.file('loaded.db'), folder.file('restored.db')];
  await writeFile(folder.file('world.json'), '{}');
  const load = ['load', folder.file('world.json'), '--json'];
  const first = await runCli(load, on(loaded));
  expect(first).toMatchObject({ status: 0, stderr: `created the database ${loaded}` });
  expect(JSON.parse(first.stdout)).toMatchObject({ files: [{ added: {} }] });
  expect(await runCli(load, on(loaded))).toMatchObject({ status: 0, stderr: '' });
  await runCli(['backup', folder.file('saved')], on(loaded));
  expect(await runCli(['restore', folder.file('saved')], on(restored))).toMatchObject({
    status: 0,
    stderr: `created the database ${restored}`,
  });
});

test('a second server on a SQLite file is refused and names the first process, unless sharing is enabled', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('data/pipit.db');
  await using first = spawnCli(['serve', '--port', '0'], folder.path);
  await first.ready();
  expect(first.stderr().split('\n')[0]).toBe(`created the database ${file}`);
  const refused = await runCli(SERVE, on(file));
  expect(refused).toEqual({
    status: 1,
    stdout: '',
    stderr: `pipit: process ${first.child.pid} already serves ${file}: stop it, or let both serve it with --share-database`,
  });
  expect((await runCli([...SERVE, '--workers', '2'], on(file))).stderr).toBe(refused.stderr);
  expect((await runCli([...SERVE, '--share-database'], on(file))).status).toBe(0);
  expect((await runCli(['user', 'list'], on(file))).stdout).toContain('@owner');
  await runCli(['backup', folder.file('saved')], on(file));
  expect(await runCli(['restore', folder.file('saved'), '--yes'], on(file))).toMatchObject({
    status: 1,
    stderr: `pipit: process ${first.child.pid} uses ${file}: stop it first`,
  });

  first.child.kill('SIGKILL');
  await once(first.child, 'close');
  expect((await runCli(['restore', folder.file('saved'), '--yes'], on(file))).status).toBe(0);
  expect((await runCli(SERVE, on(file))).status).toBe(0);
});

test('a restore over a file that cannot be opened as a database is refused and changes nothing', async () => {
  await using folder = await temporaryFolder();
  const [file, saved] = [folder.file('pipit.db'), folder.file('saved')];
  await createDatabase(file);
  await runCli(['user', 'create', 'erin'], on(file));
  await runCli(['backup', saved], on(file));
  const damaged = Buffer.from('damaged '.repeat(1000));
  await writeFile(file, damaged);
  expect(await runCli(['restore', saved, '--yes'], on(file))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/cannot be opened as a database .*: move it away to restore there$/),
  });
  expect(await readFile(file)).toEqual(damaged);

  await rename(file, folder.file('moved-away'));
  expect((await runCli(['restore', saved, '--yes'], on(file))).status).toBe(0);
  expect((await runCli(['user', 'show', 'erin'], on(file))).status).toBe(0);
});

test('a restore keeps the replaced database and key', async () => {
  await using folder = await temporaryFolder();
  const [file, saved] = [folder.file('pipit.db'), folder.file('saved')];
  await createDatabase(file);
  await runCli(['user', 'create', 'erin'], on(file));
  await runCli(['backup', saved], on(file));
  const key = await readFile(folder.file('pipit.key'));
  for (const aside of ['pipit.db.before-restore', 'pipit.db.before-restore-2']) {
    await runCli(['user', 'create', 'late'], on(file));
    await writeFile(folder.file('pipit.key'), Buffer.alloc(key.length, 1));
    expect(await runCli(['restore', saved], on(file))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('add --yes to continue'),
    });
    expect(await runCli(['restore', saved, '--yes'], on(file))).toMatchObject({
      status: 0,
      stderr: `the previous database is kept as ${folder.file(aside)}`,
    });
    expect((await runCli(['user', 'show', 'late'], on(folder.file(aside)))).status).toBe(0);
    expect((await runCli(['user', 'show', 'late'], on(file))).status).toBe(1);
    expect((await runCli(['user', 'show', 'erin'], on(file))).status).toBe(0);
    expect(await readFile(folder.file('pipit.key'))).toEqual(key);
  }
});
