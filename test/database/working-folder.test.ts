import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkingFolder } from '../../src/database/working-folder.js';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pipit-test-'));
});

afterEach(() => rm(parent, { recursive: true }));

/** Makes the lock of a folder look old. */
const age = (folder: string) => utimes(join(folder, 'lock'), 0, 0);

const MODULE = new URL('../../src/database/working-folder.ts', import.meta.url).href;

/** Creates a folder in a process and kills the process. Returns the path. */
async function leaveFolder(prefix: string): Promise<string> {
  const script = `const { createWorkingFolder } = await import(${JSON.stringify(MODULE)});
    console.log((await createWorkingFolder(${JSON.stringify(prefix)})).path);
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [path] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.kill('SIGKILL');
  await once(child, 'close');
  return path;
}

test('a start removes the folders that killed processes have left, and no others', async () => {
  const prefix = join(parent, 'work-');
  const used = await createWorkingFolder(prefix);
  await age(used.path);
  const left = await leaveFolder(prefix);
  await age(left);
  const fresh = await leaveFolder(prefix);
  await writeFile(join(parent, 'work-file'), '');
  const own = await createWorkingFolder(prefix);
  const expected = [used.path, fresh, own.path].map((path) => basename(path));
  expect((await readdir(parent)).toSorted()).toEqual([...expected, 'work-file'].toSorted());
  await used.remove();
  await own.remove();
  expect((await readdir(parent)).toSorted()).toEqual([basename(fresh), 'work-file'].toSorted());
});
