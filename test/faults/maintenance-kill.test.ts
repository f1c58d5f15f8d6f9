import { writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { rawSql } from '../../src/database/sql.js';
import { openBackend } from '../../src/server/backend.js';
import { syntheticPage } from '../archive/synthetic.js';
import { createDatabase, runCli, spawnCli, temporaryFolder } from '../support/cli.js';

/** `kill -9` in the middle of `pipit prune` and of `pipit check --repair`. */

vi.setConfig({ testTimeout: 60_000 });

const POSTS = 3_000;
const KILLS = 3;

async function prepare() {
  const folder = await temporaryFolder();
  await createDatabase(folder.file('pipit.db'));
  const env = { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` };
  const run = (...args: string[]) => runCli(args, { folder: folder.path, env });
  await writeFile(folder.file('posts.jsonl'), `${syntheticPage(0, POSTS)}\n`);
  await run('import', 'twarc', folder.file('posts.jsonl'), '--json');
  const backend = await openBackend(env.PIPIT_DATABASE);
  const count = async (table: string): Promise<number> =>
    Number((await backend.engine.get(rawSql(`SELECT COUNT(*) AS n FROM ${table}`)))?.n);
  return {
    run,
    backend,
    count,
    /** Starts the command in a process and kills it once rows of the table have changed in number; returns the new number. */
    killDuring: async (table: string, args: readonly string[]): Promise<number> => {
      const before = await count(table);
      await using started = spawnCli(args, folder.path, { ...process.env, ...env });
      let now = before;
      while (now === before && started.child.exitCode === null) {
        await new Promise((resolve) => setImmediate(resolve));
        now = await count(table);
      }
      started.child.kill('SIGKILL');
      await started.exit();
      return count(table);
    },
    [Symbol.asyncDispose]: async () => {
      await backend.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a killed prune leaves everything consistent, and the next one ends it', async () => {
  await using database = await prepare();
  const args = ['prune', '--imported-older-than', '1h', '--yes'];
  const stored = await database.count('posts');
  const left: number[] = [stored];
  for (let kill = 0; kill < KILLS; kill += 1) {
    left.push(await database.killDuring('posts', args));
    const checked = await database.run('check');
    expect([
      checked.status,
      checked.stdout
        .split('\n')
        .filter((line) => !/ 0$/.test(line))
        .slice(1),
    ]).toEqual([0, ['everything is as it should be']]);
  }
  expect(left.at(-1)).toBeGreaterThan(0);
  expect(left.at(-1)).toBeLessThan(stored);
  const { imported_posts } = JSON.parse((await database.run(...args, '--json')).stdout) as {
    imported_posts: { deleted: number };
  };
  expect([imported_posts.deleted, await database.count('posts')]).toEqual([left.at(-1), 0]);
  expect((await database.run('check')).status).toBe(0);
});

test('a killed repair has mended a part and broken nothing, and the next one ends it', async () => {
  await using database = await prepare();
  const listed = await database.count('user_posts');
  await database.backend.engine.tx('corrupt', (tx) => tx.run(rawSql('DELETE FROM user_posts')));
  const now = await database.killDuring('user_posts', ['check', '--repair', '--only', 'lists']);
  expect(now).toBeGreaterThan(0);
  expect(now).toBeLessThan(listed);
  const found = JSON.parse((await database.run('check', '--json')).stdout) as { differing: number };
  expect(found.differing).toBe(listed - now);
  expect((await database.run('check', '--repair')).status).toBe(0);
  expect([await database.count('user_posts'), (await database.run('check')).status]).toEqual([listed, 0]);
});
