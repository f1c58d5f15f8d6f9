import { chmod, stat, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createPrivateFolder } from '../../src/database/private-file.js';
import { temporaryFolder } from '../support/cli.js';

test('a folder is created with its missing parents, for the user only', async () => {
  await using folder = await temporaryFolder();
  const created = await Promise.all([1, 2].map(() => createPrivateFolder(folder.file('a/b/../b/c'))));
  expect(created).toContain(folder.file('a'));
  for (const name of ['a', 'a/b', 'a/b/c']) expect((await stat(folder.file(name))).mode & 0o777).toBe(0o700);
  await chmod(folder.file('a'), 0o755);
  expect(await createPrivateFolder(folder.file('a'))).toBeUndefined();
  expect((await stat(folder.file('a'))).mode & 0o777).toBe(0o755);
});

test('a path through a file, or through a link to nothing, is refused', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('file'), '');
  await symlink('nowhere', folder.file('link'));
  await expect(createPrivateFolder(folder.file('file/a'))).rejects.toThrow('ENOTDIR');
  await expect(createPrivateFolder(folder.file('file'))).rejects.toThrow('ENOTDIR');
  await expect(createPrivateFolder(folder.file('link'))).rejects.toThrow('EEXIST');
  await expect(createPrivateFolder(folder.file('link/a'))).rejects.toThrow('EEXIST');
});

test.skipIf(process.platform !== 'linux')(
  'a folder below /proc is refused at once (skipped elsewhere)',
  async () => {
    for (const path of ['/proc/data', '/proc/data/lead/x', '/proc/self/fd/x']) {
      await expect(createPrivateFolder(path)).rejects.toThrow(/ENOENT|EACCES|EPERM/);
    }
  },
);
