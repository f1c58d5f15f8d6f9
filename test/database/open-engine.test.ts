import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StorageUnavailable, UnsupportedDatabase } from '../../src/database/errors.js';
import { sql } from '../../src/database/sql.js';
import { openEngine } from '../../src/database/open-engine.js';

test.each(['sqlite:', 'sqlite://'])('%s and a path name a file', async (prefix) => {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-'));
  const engine = await openEngine(`${prefix}${folder}/pipit.db`, { durability: 'full' });
  await engine.close();
  expect((await stat(join(folder, 'pipit.db'))).isFile()).toBe(true);
  await rm(folder, { recursive: true });
});

test('sqlite::memory: names a separate database in memory per engine, without a file', async () => {
  const [one, other] = [
    await openEngine('sqlite::memory:', { durability: 'relaxed' }),
    await openEngine('sqlite::memory:', { durability: 'relaxed' }),
  ];
  await one.tx('create', (tx) => tx.run(sql`CREATE TABLE notes (id BIGINT)`));
  expect(await one.all(sql`SELECT id FROM notes`)).toEqual([]);
  await expect(other.all(sql`SELECT id FROM notes`)).rejects.toThrow('notes');
  await expect(stat(':memory:')).rejects.toThrow('ENOENT');
  await Promise.all([one.close(), other.close()]);
});

test.each(['postgres://pipit:secret@127.0.0.1:1/pipit', 'postgresql://127.0.0.1:1/pipit'])(
  '%s names a server: StorageUnavailable while nothing listens',
  async (url) => {
    await expect(openEngine(url, { durability: 'full' })).rejects.toThrow(StorageUnavailable);
  },
);

test.each(['postgres://pipit:secret@db:port/pipit', 'mysql://pipit:secret@db', 'pipit.db', 'sqlite:'])(
  '%s is refused without repeating a password',
  async (url) => {
    const opening = openEngine(url, { durability: 'full' });
    await expect(opening).rejects.toThrow(UnsupportedDatabase);
    await expect(opening).rejects.not.toThrow('secret');
  },
);
