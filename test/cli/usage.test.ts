import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

const MEMORY = 'sqlite::memory:';
const NEW_APP = ['app', 'create', 'x', '--owner', 'bob'];
const NEW_TOKEN = ['token', 'create', '--user', 'bob', '--kind', 'oauth2', '--app'];

test.each([
  [[]],
  [['nonsense']],
  [['user', 'nonsense']],
  [['user', 'create']],
  [['user', 'list', '--nonsense']],
  [['load']],
  [[...NEW_APP, '--permissions', 'all']],
  [[...NEW_APP, '--access-level', 'all']],
  [[...NEW_APP, '--track', 'all']],
  [['token', 'create', '--app', '1', '--user', 'bob', '--kind', 'oauth3']],
])('wrong usage gives status 2: pipit %j', async (args) => {
  const outcome = await runCli(args);
  expect(outcome.status).toBe(2);
  expect(outcome.stdout).toBe('');
  expect(outcome.stderr).not.toBe('');
});

test.each([
  [['user', 'list', '--database', 'mysql://x'], /^pipit: --database must read sqlite:FILE/],
  [['user', 'list', '--database', ''], /^pipit: --database must read/],
  [['user', 'list', '--database', 'sqlite:'], /^pipit: --database must read/],
  [['user', 'list', '--database', 'data/pipit.db'], /^pipit: --database must read/],
  [['user', 'list', '--database', MEMORY], /does not outlive its process: use a file$/],
  [['doctor', '--database', 'mysql://x'], /^pipit: --database must read/],
  [['doctor', '--database', MEMORY], /does not outlive its process/],
  [['backup', 'b', '--database', ''], /^pipit: --database must read/],
  [['backup', 'b', '--database', MEMORY], /does not outlive its process/],
  [['restore', 'b', '--database', 'mysql://x'], /^pipit: --database must read/],
  [['serve', '--database', 'mysql://x'], /^pipit: --database must read/],
  [['serve', '--database', ''], /^pipit: --database must read/],
  [['serve', '--port', 'http'], /^pipit: --port must be a port/],
  [['serve', '--port', '65536'], /^pipit: --port must be a port/],
  [['serve', '--port', ''], /^pipit: --port must be a port/],
  [['serve', '--host', ''], /^pipit: --host must be an address or a name/],
  [['serve', '--workers', '0'], /^pipit: --workers must be/],
  [['serve', '--rate-limits', '0'], /^pipit: --rate-limits must be/],
  [['serve', '--rate-limits', 'many'], /^pipit: --rate-limits must be/],
  [['serve', '--post-cap', '1'], /^pipit: --post-cap must be one of/],
  [['serve', '--durability', 'none'], /^pipit: --durability must be one of/],
  [['serve', '--log-level', 'loud'], /^pipit: --log-level must be one of/],
  [['serve', '--base-url', 'pipit.example'], /^pipit: --base-url must be/],
  [['serve', '--trusted-proxy', 'x'], /^pipit: --trusted-proxy must be/],
  [['load', 'x.json', '--base-url', 'pipit.example'], /^pipit: --base-url must be/],
  [['user', 'create', 'no way'], /^pipit: "no way" is not a username/],
  [['user', 'create', 'frank', '--name', 'n'.repeat(51)], /^pipit: a name must have 1 to 50 characters/],
  [['user', 'create', 'frank', '--password', ''], /^pipit: --password is empty/],
  [['app', 'show', 'x'], /^pipit: "x" is not an app id/],
  [['jobs', 'retry', 'x'], /^pipit: "x" is not a job id/],
  [[...NEW_TOKEN, '1', '--scope', 'fly'], /^pipit: "fly" is not a scope/],
  [[...NEW_TOKEN, '1', '--scope', ''], /^pipit: --scope is empty/],
  [[...NEW_TOKEN, 'x'], /^pipit: "x" is not an app id/],
])('an invalid value gives status 2 and one line: pipit %j', async (args, line) => {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  if (['app', 'jobs', 'token'].includes(`${args[0]}`)) await createDatabase(folder.file('pipit.db'));
  const outcome = await runCli(args, { env });
  expect(outcome).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(line) });
  expect(outcome.stderr.split('\n')).toHaveLength(1);
});

test('an invalid app name or redirect URI is wrong usage', async () => {
  await using folder = await temporaryFolder();
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  await createDatabase(folder.file('pipit.db'));
  await runCli(['user', 'create', 'bob'], { env });
  expect(await runCli([...NEW_APP, '--redirect-uri', '/back'], { env })).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^pipit: .*\[\/back\] must be an absolute URI/),
  });
  expect((await runCli(['app', 'create', ' '], { env })).status).toBe(2);
});

test('a database URL is not repeated, since it may contain a password', async () => {
  const outcome = await runCli(['user', 'list', '--database', 'mysql://bob:secret@host/x']);
  expect(outcome.stderr).not.toContain('secret');
});

test('an invalid database option creates no file', async () => {
  await using folder = await temporaryFolder();
  await runCli(['user', 'list', '--database', ''], { env: {}, folder: folder.path });
  expect(await readdir(folder.path)).toEqual([]);
});

test('help is not an error', async () => {
  expect(await runCli(['--help'])).toMatchObject({ status: 0, stderr: '' });
  expect((await runCli(['user', 'create', '--help'])).stdout).toContain('--protected');
});
