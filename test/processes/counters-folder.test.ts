import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { claimCountersFolder } from '../../src/server/workers/counters-folder.js';
import { temporaryFolder } from '../support/cli.js';

const SOURCE = pathToFileURL(join(import.meta.dirname, '../../src/server/workers/counters-folder.ts')).href;
const CLAIM = `
  import { claimCountersFolder } from ${JSON.stringify(SOURCE)};
  const folder = claimCountersFolder(2, process.argv[1]);
  console.log(folder.path);
  setInterval(() => folder, 1000);`;

test('a start removes the folders of killed servers, and no others', async () => {
  await using place = await temporaryFolder();
  const args = ['--import', 'tsx', '--input-type=module', '-e', CLAIM, place.path];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  await mkdir(place.file('pipit-counters-unlocked'));
  await mkdir(place.file('elsewhere'));
  await writeFile(place.file('elsewhere/lock'), '');
  await symlink(place.file('elsewhere'), place.file('pipit-counters-linked'));
  const others = ['elsewhere', 'pipit-counters-linked', 'pipit-counters-unlocked'];

  const { length } = await readdir(place.path);
  expect(length).toBe(others.length + 1);
  claimCountersFolder(2, place.path)[Symbol.dispose]();
  expect(await readdir(place.path), 'the other server lives').toHaveLength(length);

  server.kill('SIGKILL');
  await once(server, 'close');
  using folder = claimCountersFolder(2, place.path);
  const own = folder.path.slice(place.path.length + 1);
  expect((await readdir(place.path)).sort()).toEqual([...others, own].sort());
});
