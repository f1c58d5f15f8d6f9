import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { rawSql } from '../../src/database/sql.js';
import { openBackend } from '../../src/server/backend.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

/** Two old posts with media, of which one is liked. */
const ARCHIVE = {
  data: ['801', '802'].map((id) => ({
    ...{ id, author_id: '50', conversation_id: id, text: `Archived ${id}` },
    created_at: '2015-01-01T00:00:00.000Z',
    attachments: { media_keys: [`3_7${id}`] },
  })),
  includes: {
    users: [{ id: '50', username: 'archie', name: 'Archie' }],
    media: ['801', '802'].map((id) => ({
      media_key: `3_7${id}`,
      type: 'photo',
      url: `https://x.test/${id}`,
    })),
  },
};

async function prepare() {
  const folder = await temporaryFolder();
  await createDatabase(folder.file('pipit.db'));
  const io = { folder: folder.path, env: { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` } };
  const run = (...args: string[]) => runCli(args, io);
  await writeFile(folder.file('archive.jsonl'), `${JSON.stringify(ARCHIVE)}\n`);
  expect((await run('import', 'twarc', folder.file('archive.jsonl'))).status).toBe(0);
  const backend = await openBackend(io.env.PIPIT_DATABASE);
  await backend.engine.tx('fill', async (tx) => {
    for (const statement of [
      'INSERT INTO likes (post_id, user_id, edge_id) VALUES (802, 50, 1)',
      'INSERT INTO liked_posts (user_id, post_id, edge_id) VALUES (50, 802, 1)',
      `INSERT INTO media_uploads (media_id, owner_id, total_bytes, state, expires_at) VALUES (901, 50, 9, 'receiving', 5)`,
      `INSERT INTO media_uploads (media_id, owner_id, total_bytes, state, expires_at)
        VALUES (902, 50, 9, 'receiving', 9999999999999)`,
      'INSERT INTO media_segments (media_id, segment_index, size_bytes) VALUES (901, 0, 5), (902, 0, 5)',
      'INSERT INTO media_bytes (media_id, owner_id, size_bytes) VALUES (901, 50, 9), (902, 50, 9)',
      'INSERT INTO media_usage (user_id, size_bytes) VALUES (50, 18)',
    ])
      await tx.run(rawSql(statement));
  });
  await backend.close();
  for (const name of ['01/901/segment-0', '02/902/segment-0', '03/903/a.png']) {
    const file = folder.file(`media/${name}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'bytes');
    await utimes(file, 1, 1);
  }
  return { folder, run, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const EVERYTHING = ['--imported-older-than', '365d', '--unused-media', '--journals-older-than', '90d'];

test('prune deletes what its dry run counts, and nothing the second time', async () => {
  await using database = await prepare();
  const { run } = database;
  const expected = {
    imported_posts: { deleted: 1, kept: 1 },
    imported_media: { deleted: 1 },
    unused_uploads: { deleted: 1, bytes: 9 },
    files_without_media: { deleted: 1, bytes: 5 },
    dead_jobs: { deleted: 0 },
    read_notices: { deleted: 0 },
    usage_by_day: { deleted: 0 },
    figures_by_day: { deleted: 0 },
  };
  const tried = await run('prune', ...EVERYTHING, '--dry-run', '--json');
  expect([tried.status, JSON.parse(tried.stdout)]).toEqual([0, { dry_run: true, ...expected }]);
  expect((await run('audit')).stdout).not.toContain('pipit prune');

  const done = await run('prune', ...EVERYTHING, '--yes', '--json');
  expect([done.status, JSON.parse(done.stdout)]).toEqual([0, expected]);
  expect((await run('audit')).stdout.split('\n')[0]).toMatch(/command\.run {2}pipit prune$/);
  expect(await readdir(database.folder.file('media/02/902'))).toEqual(['segment-0']);
  expect(await readdir(database.folder.file('media/03/903'))).toEqual([]);
  expect((await run('check')).stdout).toMatch(/everything is as it should be$/);

  const again = await run('prune', ...EVERYTHING, '--yes');
  expect(again.stdout).toBe(
    [
      'imported posts: 0 deleted, 1 kept, which are used',
      'imported media: 0 deleted',
      'unused uploads: 0 deleted, 0 bytes',
      'files without media: 0 deleted, 0 bytes',
      'dead jobs: 0 deleted',
      'read notices: 0 deleted',
      'usage by day: 0 deleted',
      'figures by day: 0 deleted',
    ].join('\n'),
  );
});

test('prune asks first, and stops between two steps', async () => {
  await using database = await prepare();
  const refused = await database.run('prune', '--imported-older-than', '365d');
  expect([refused.status, refused.stderr]).toEqual([
    2,
    'pipit: this would delete old imported posts: add --yes to continue',
  ]);
  const env = { PIPIT_DATABASE: `sqlite:${database.folder.file('pipit.db')}` };
  const stopped = await runCli(['prune', '--imported-older-than', '365d', '--yes'], {
    folder: database.folder.path,
    env,
    stopRequested: () => Promise.resolve(),
  });
  expect([stopped.status, stopped.stderr]).toEqual([
    130,
    'stopping after the current step\npipit: interrupted: what is left is deleted by the same command',
  ]);
});

test.each([
  [[], /say what to delete/],
  [['--imported-older-than', '0d'], /must be a number of days or hours/],
  [['--imported-older-than', '-5d'], /must be a number of days or hours/],
  [['--imported-older-than', '1y'], /must be a number of days or hours/],
  [['--imported-older-than', '999999d'], /must be a number of days or hours/],
  [['--imported-older-than'], /argument missing/],
  [['--journals-older-than', '89d'], /must be 90d or more/],
  [['--everything'], /unknown option/],
])('pipit prune %j is wrong usage', async (args, message) => {
  const { status, stderr } = await runCli(['prune', ...args], { env: { PIPIT_DATABASE: 'sqlite:none.db' } });
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});
