import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { rawSql } from '../../src/database/sql.js';
import { openBackend } from '../../src/server/backend.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

interface Printed {
  readonly differing: number;
  readonly mended?: number;
  readonly checks: readonly {
    readonly kind: string;
    readonly of: string;
    readonly checked: number;
    readonly differing: number;
    readonly examples: readonly string[];
  }[];
}

/** Creates a database and returns what runs commands and statements on it. */
async function prepare() {
  const folder = await temporaryFolder();
  const file = folder.file('pipit.db');
  await createDatabase(file);
  const io = { folder: folder.path, env: { PIPIT_DATABASE: `sqlite:${file}` } };
  const world = {
    users: ['ann', 'ben'].map((username, at) => ({ id: String(at + 1), username, name: username })),
    follows: [{ from: 'ben', to: 'ann' }],
    posts: [{ id: '1500000000000000001', author: 'ann', text: 'Hello' }],
  };
  await writeFile(folder.file('world.json'), JSON.stringify(world));
  await runCli(['load', folder.file('world.json')], io);
  return {
    folder,
    run: (...args: string[]) => runCli(args, io),
    change: async (...statements: string[]) => {
      const backend = await openBackend(io.env.PIPIT_DATABASE);
      await backend.engine.tx('change', async (tx) => {
        for (const statement of statements) await tx.run(rawSql(statement));
      });
      await backend.close();
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const printed = ({ stdout }: { readonly stdout: string }): Printed => JSON.parse(stdout) as Printed;

test('check reports differences with status 3, and --repair mends them', async () => {
  await using database = await prepare();
  const clean = await database.run('check');
  expect([clean.status, clean.stderr]).toEqual([0, '']);
  expect(clean.stdout).toMatch(/^kind +of +checked +differing\nstrays +follows +1 +0\n/);
  expect(clean.stdout).toMatch(/\neverything is as it should be$/);

  await database.change('UPDATE user_counts SET followers = 7 WHERE user_id = 1', 'DELETE FROM followers');
  const found = await database.run('check');
  expect(found.status).toBe(3);
  expect(found.stdout).toMatch(
    /edges +followers +0 +1\n {2}followers user_id=1 follower_id=2: is missing, but in follows\n/,
  );
  expect(found.stdout).toMatch(
    /counts +user_counts +2 +1\n {2}user_counts user_id=1: followers is 7, not 0\n/,
  );
  expect(found.stdout).toMatch(/\n3 differences$/);

  const counts = await database.run('check', '--only', 'counts', 'edges', '--json');
  expect([counts.status, printed(counts).differing, 'mended' in printed(counts)]).toEqual([3, 2, false]);
  expect(new Set(printed(counts).checks.map(({ kind }) => kind))).toEqual(new Set(['edges', 'counts']));

  const mended = await database.run('check', '--repair', '--json');
  expect([mended.status, printed(mended).differing, printed(mended).mended]).toEqual([0, 2, 2]);
  expect((await database.run('check', '--repair')).stdout).toMatch(/\neverything is as it should be$/);
});

test('check compares media with their files', async () => {
  await using database = await prepare();
  const media = (id: number, more: string): string =>
    `INSERT INTO media (id, media_key, type, owner_id, url, attached_to, created_at, expires_at)
      VALUES (${id}, '3_${id}', 'photo', 1, 'http://pipit.test/media/${id}/a.png', ${more})`;
  await database.change(
    media(501, '1500000000000000001, 0, NULL'),
    media(502, '1500000000000000001, 0, NULL'),
    // Being stored: files come and go before rows.
    media(503, 'NULL, 0, 9999999999999'),
    'INSERT INTO media_bytes (media_id, owner_id, size_bytes) VALUES (501, 1, 9)',
    'INSERT INTO media_usage (user_id, size_bytes) VALUES (1, 9)',
  );
  const store = async (name: string, isOld: boolean): Promise<void> => {
    const file = database.folder.file(`media/${name}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'bytes');
    if (isOld) await utimes(file, 1, 1);
  };
  await store('01/501/a.png', true);
  await store('01/501/segment-0', true);
  await store('04/504/b.png', true);
  await store('05/505/new.png', false);

  const found = await database.run('check', '--only', 'files', '--json');
  expect(found.status).toBe(3);
  expect(
    printed(found)
      .checks.flatMap(({ examples }) => examples)
      .sort(),
  ).toEqual([
    'file 501/segment-0: belongs to no media, 5 bytes',
    'file 504/b.png: belongs to no media, 5 bytes',
    'media id=501: counts 9 bytes, but its files have 5',
    'media id=502: lacks the file 502/a.png',
  ]);
  const mended = await database.run('check', '--only', 'files', '--repair', '--json');
  expect([mended.status, printed(mended).differing, printed(mended).mended]).toEqual([3, 4, 3]);
  expect(await readdir(database.folder.file('media/01/501'))).toEqual(['a.png']);
  const left = printed(await database.run('check', '--json'));
  expect(left.checks.flatMap(({ examples }) => examples)).toEqual(['media id=502: lacks the file 502/a.png']);
});

test('an interrupted check says so, with status 130', async () => {
  await using database = await prepare();
  const { status, stderr } = await runCli(['check'], {
    folder: database.folder.path,
    env: { PIPIT_DATABASE: `sqlite:${database.folder.file('pipit.db')}` },
    stopRequested: () => Promise.resolve(),
  });
  expect([status, stderr]).toEqual([
    130,
    'stopping after the current step\npipit: interrupted: nothing was changed',
  ]);
});

test.each([
  [['check', '--only'], /argument missing/],
  [['check', '--only', 'everything'], /Allowed choices are strays, edges/],
  [['check', '--mend'], /unknown option '--mend'/],
  [['check', 'counts'], /too many arguments/],
])('pipit %j is wrong usage', async (args, message) => {
  await using database = await prepare();
  const { status, stderr } = await database.run(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});

test('check needs a database, and the place of media that servers use', async () => {
  await using database = await prepare();
  const none = await runCli(['check'], {
    folder: database.folder.path,
    env: { PIPIT_DATABASE: `sqlite:${database.folder.file('none/pipit.db')}` },
  });
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('there is no database at')]);
  await database.change(`INSERT INTO shared_facts (name, value) VALUES ('media', '${'0'.repeat(24)}')`);
  const other = await database.run('check');
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('name it by --media')]);
  expect((await database.run('check', '--only', 'counts')).status).toBe(0);
});
