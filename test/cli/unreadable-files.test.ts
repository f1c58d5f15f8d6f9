import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

interface Fixture {
  readonly file: (name: string) => string;
  pipit(...args: string[]): ReturnType<typeof runCli>;
}

/** Runs a test in a folder with a database, a folder `folder` and an unreadable file `secret`. */
async function withFixture(work: (place: Fixture) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  await createDatabase(folder.file('pipit.db'));
  await runCli(['user', 'create', 'erin'], { env });
  await mkdir(folder.file('folder'));
  await writeFile(folder.file('secret'), '{}', { mode: 0 });
  await work({ file: folder.file, pipit: (...args) => runCli(args, { env, folder: folder.path }) });
}

const READERS = [['load'], ['import', 'twarc'], ['restore', '--yes']].map((command) => ({ command }));

test.each(READERS)('$command reports a missing file or a folder in one line', ({ command }) =>
  withFixture(async ({ file, pipit }) => {
    expect(await pipit(...command, file('absent'))).toEqual({
      status: 1,
      stdout: '',
      stderr: `pipit: cannot read ${file('absent')}: there is no such file`,
    });
    const folder = await pipit(...command, file('folder'));
    expect(folder).toMatchObject({ status: 1, stdout: '' });
    // Backups are folders.
    expect(folder.stderr).toMatch(
      command[0] === 'restore'
        ? /^pipit: [^\n]* is not a Pipit backup[^\n]*$/
        : /^pipit: [^\n]* is a folder[^\n]*$/,
    );
  }),
);

test('an unreadable file is reported in one line', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'the superuser may read every file');
  await withFixture(async ({ file, pipit }) => {
    for (const { command } of READERS) {
      expect(await pipit(...command, file('secret'))).toMatchObject({
        status: 1,
        stderr: `pipit: cannot read ${file('secret')}: permission denied`,
      });
    }
  });
});

test('serve --load of a missing file gives one line and status 1', async () => {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` };
  const absent = folder.file('absent.json');
  expect(await runCli(['serve', '--port', '0', '--load', absent], { env })).toEqual({
    status: 1,
    stdout: '',
    stderr: `pipit: cannot read ${absent}: there is no such file`,
  });
  expect(await readdir(folder.path)).toEqual([]);
});

test('serve --json prints its URL as JSON', async () => {
  await using folder = await temporaryFolder();
  const options = { folder: folder.path, env: { PIPIT_LOG_LEVEL: 'silent' } };
  const served = await runCli(['serve', '--port', '0', '--json', '--database', 'sqlite::memory:'], options);
  expect(JSON.parse(served.stdout)).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
});

test('load creates no database when one of the files cannot be read', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), '{}');
  expect(
    await runCli(['load', folder.file('world.json'), folder.file('absent.json')], { folder: folder.path }),
  ).toEqual({
    status: 1,
    stdout: '',
    stderr: `pipit: cannot read ${folder.file('absent.json')}: there is no such file`,
  });
  expect(await readdir(folder.path)).toEqual(['world.json']);
});

test('every command identifies a folder given as database and creates nothing beside it', () =>
  withFixture(async ({ file, pipit }) => {
    const before = await readdir(file('.'));
    await writeFile(file('world.json'), '{}');
    for (const command of [
      ['user', 'list'],
      ['doctor'],
      ['load', file('world.json')],
      ['serve', '--port', '0'],
    ])
      expect([command, await pipit(...command, '--database', `sqlite:${file('folder')}`)]).toEqual([
        command,
        {
          status: 1,
          stdout: '',
          stderr: `pipit: ${file('folder')} is a folder: name a file in it, such as ${file('folder/pipit.db')}`,
        },
      ]);
    expect((await readdir(file('.'))).sort()).toEqual([...before, 'world.json'].sort());
  }));

test('restore of a file in another format reports the file', () =>
  withFixture(async ({ file, pipit }) => {
    await writeFile(file('letter'), 'Dear Dora, '.repeat(20));
    const restored = await pipit('restore', file('letter'), '--yes');
    expect(restored).toMatchObject({ status: 1, stderr: `pipit: ${file('letter')} is not a Pipit backup` });
  }));

test('backup requires a database file and an existing folder', () =>
  withFixture(async ({ file, pipit }) => {
    const backup = (target: string, database: string) =>
      pipit('backup', file(target), '--database', `sqlite:${file(database)}`);
    expect(await backup('b', 'absent.db')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`there is no database at ${file('absent.db')}`),
    });
    expect(await backup('b', 'folder')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${file('folder')} is a folder`),
    });
    expect(await backup('none/b', 'pipit.db')).toMatchObject({
      status: 1,
      stderr: `pipit: cannot write ${file('none/b')}: there is no folder ${file('none')}`,
    });
  }));

test('a failed write is reported without system error text', () =>
  withFixture(async ({ file, pipit }) => {
    await pipit('backup', file('saved'));
    const restore = (database: string) =>
      pipit('restore', file('saved'), '--force', '--database', `sqlite:${file(database)}`);
    expect(await restore('folder')).toMatchObject({
      status: 1,
      stderr: `pipit: cannot replace ${file('folder')}: it is a folder`,
    });
    expect(await restore('saved/pipit.db')).toMatchObject({
      status: 1,
      stderr: `pipit: cannot replace ${file('saved/pipit.db')}: it is part of the backup`,
    });
    expect(await restore('pipit.key/pipit.db')).toMatchObject({
      status: 1,
      stderr: `pipit: cannot stat ${file('pipit.key/pipit.db')}: part of the path is not a folder`,
    });
    await writeFile(file('x.jsonl'), 'nonsense\n');
    expect(await pipit('import', 'twarc', file('x.jsonl'), '--refused', 'folder')).toMatchObject({
      status: 1,
      stderr: `pipit: cannot open ${file('folder')}: it is a folder`,
    });
  }));

test('import requires the folder of its refused lines before it starts', () =>
  withFixture(async ({ file, pipit }) => {
    await writeFile(file('x.jsonl'), 'nonsense\n');
    expect(await pipit('import', 'twarc', file('x.jsonl'), '--refused', 'none/refused')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `pipit: cannot write ${file('none/refused')}: there is no folder ${file('none')}`,
    });
  }));
