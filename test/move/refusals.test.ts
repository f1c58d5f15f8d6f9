import { readFile, rm, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openStoredRows } from '../../src/database/open-engine.js';
import { openBackend } from '../../src/server/backend.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';
import { sumsOf } from './support/databases.js';

test('a move refuses what it cannot copy or would destroy, in one line, and changes nothing', async () => {
  await using folder = await temporaryFolder();
  const [from, used, other] = [folder.file('a/pipit.db'), folder.file('b/used.db'), folder.file('other.db')];
  await createDatabase(from);
  await createDatabase(used);
  await runCli(['user', 'create', 'erin'], { env: { PIPIT_DATABASE: `sqlite:${from}` } });
  await runCli(['user', 'create', 'frank'], { env: { PIPIT_DATABASE: `sqlite:${used}` } });
  new Database(other).exec('CREATE TABLE birds (id INTEGER)').close();
  const contents = async () =>
    [await sumsOf(`sqlite:${from}`), await sumsOf(`sqlite:${used}`)].map(({ users, audit_log: log }) => [
      users,
      log,
    ]);
  const before = await contents();
  const refusal = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCli(['move', ...args], { folder: folder.path });
    expect([status > 0, stdout]).toEqual([true, '']);
    return stderr;
  };
  const [source, target] = [`sqlite:${from}`, `sqlite:${folder.file('c/pipit.db')}`];
  expect(await refusal(source, `sqlite:${used}`)).toBe(
    'pipit: the target is not empty: it has rows in audit_log',
  );
  expect(await refusal(source, `sqlite:${other}`)).toMatch(/belongs to another program/);
  expect(await refusal(`sqlite:${other}`, target)).toMatch(/belongs to another program/);
  expect(await refusal(source, source)).toBe('pipit: the source and the target are the same database');
  expect(await refusal(source, 'sqlite::memory:')).toMatch(/a database in memory does not outlive/);
  expect(await refusal(source, 'oracle://x')).toMatch(/must read sqlite:FILE/);
  expect(await refusal(`sqlite:${folder.file('a/pipt.db')}`, target)).toMatch(/did you mean/);
  expect(await refusal(source, 'postgres://u:secret@127.0.0.1:1/x')).toMatch(/^pipit: [^\n]*$/);
  expect(await refusal(source, 'postgres://u:secret@127.0.0.1:1/x')).not.toContain('secret');
  expect(await refusal(source, target, '--abandon', '--yes')).toMatch(/there is no unfinished move/);
  const backend = await openBackend(source);
  expect(await refusal(source, target)).toMatch(/a process uses the source/);
  await backend.close();
  await writeFile(folder.file('a/pipit.key'), 'short', { mode: 0o600 });
  expect(await refusal(source, target)).toMatch(/key/);
  expect(await contents()).toEqual(before);
});

test('an unfinished move is continued by the same command only, and abandoned by --abandon', async () => {
  await using folder = await temporaryFolder();
  const source = `sqlite:${folder.file('a/pipit.db')}`;
  const [one, two] = [`sqlite:${folder.file('b/pipit.db')}`, `sqlite:${folder.file('c/pipit.db')}`];
  await createDatabase(folder.file('a/pipit.db'));
  await runCli(['user', 'create', 'erin'], { env: { PIPIT_DATABASE: source } });
  const move = (to: string, ...args: readonly string[]) =>
    runCli(['move', source, to, ...args], { folder: folder.path, stopRequested: () => stopped });
  let stopped: Promise<void> = Promise.resolve();
  expect(await move(one)).toMatchObject({
    status: 130,
    stderr: expect.stringContaining('pipit: stopped: the same command continues the move'),
  });
  stopped = new Promise(() => undefined);
  expect((await move(two)).stderr).toMatch(/the source is being moved to another target/);
  // Another source does not continue it either.
  await createDatabase(folder.file('d/pipit.db'));
  const other = await runCli(['move', `sqlite:${folder.file('d/pipit.db')}`, one]);
  expect(other.stderr).toMatch(/the unfinished move of another database/);
  expect((await move(one, '--abandon')).status).toBe(2);
  expect(await move(one, '--abandon', '--yes')).toMatchObject({ status: 0 });
  await expect(readFile(folder.file('b/pipit.db'))).rejects.toThrow('ENOENT');
  await rm(folder.file('c'), { recursive: true });
  expect(await move(two)).toMatchObject({ status: 0 });
  expect(await sumsOf(two)).toEqual(await sumsOf(source));

  // A target that is gone leaves nothing behind in the source.
  stopped = Promise.resolve();
  expect((await move(`sqlite:${folder.file('e/pipit.db')}`)).status).toBe(130);
  expect((await move('postgres://u:x@127.0.0.1:1/x', '--abandon', '--yes')).status).toBe(1);
  const rows = await openStoredRows(source);
  expect((await rows.tableNames()).filter((name) => name.startsWith('move_'))).toEqual([]);
  await rows.close();
});
