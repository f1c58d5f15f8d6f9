import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnsupportedDatabase } from '../../src/storage/errors.js';
import { openEngine } from '../../src/storage/open-engine.js';

test.each(['sqlite:', 'sqlite://'])('%s and a path name a file', async (prefix) => {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-'));
  const engine = await openEngine(`${prefix}${folder}/pipit.db`, { durability: 'full' });
  await engine.close();
  expect((await stat(join(folder, 'pipit.db'))).isFile()).toBe(true);
  await rm(folder, { recursive: true });
});

test('sqlite::memory: names a database in memory', async () => {
  const engine = await openEngine('sqlite::memory:', { durability: 'relaxed' });
  await engine.close();
});

test.each(['postgres://pipit:secret@db/pipit', 'postgresql://db/pipit', 'mysql://db', 'pipit.db', 'sqlite:'])(
  '%s is refused, without repeating a password',
  async (url) => {
    const opening = openEngine(url, { durability: 'full' });
    await expect(opening).rejects.toThrow(UnsupportedDatabase);
    await expect(opening).rejects.not.toThrow('secret');
  },
);
