import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runCli, spawnCli, temporaryFolder } from '../support/cli.js';

test('a database in memory refuses several workers with status 2', async () => {
  const args = ['serve', '--database', 'sqlite::memory:', '--workers', '2'];
  expect(await runCli(args)).toEqual({
    status: 2,
    stdout: '',
    stderr: 'pipit: an in-memory database supports one process: leave --workers at 1, or name a file',
  });
});

test('several workers refuse an invalid start with the same lines and status as one', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), '{"follows":[{"from":"a","to":"b"}]}');
  const args = ['serve', '--port', '0', '--load', folder.file('world.json')];
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('one/pipit.db')}` };
  const alone = await runCli(args, { env });
  expect(alone).toMatchObject({ status: 1, stdout: '' });
  await using several = spawnCli([...args, '--workers', '2'], folder.path);
  expect(await several.exit()).toBe(1);
  expect(several.stdout()).toBe('');
  expect(several.stderr()).toContain('world.json: $.follows[0].from: no user "a"');
  expect(several.stderr()).toBe(`${alone.stderr}\n`);
});

test('a port in use gives one line and status 1, also with several workers', async () => {
  await using folder = await temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('data/pipit.db')}` };
  expect(await runCli(['serve', '--port', String(port), '--workers', '2'], { env })).toEqual({
    status: 1,
    stdout: '',
    stderr: `pipit: cannot listen on 127.0.0.1:${port}: the port is in use`,
  });
  other.close();
});
